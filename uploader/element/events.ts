import type { UploadProgress, UploadedFile } from '../options.ts';
import type { UploadError } from '../upload-error.ts';
import type { RefusalReason } from './limits.ts';
import type { TotalProgress } from './totals.ts';

/** A file with its path in the chosen or dropped folder, or its name alone. */
interface OfFile {
  readonly file: File;
  readonly path: string;
}

/** The `detail` of each event. */
export interface CubbyUploadDetails {
  /** A file is about to be added. `preventDefault()` rejects it. */
  adding: OfFile;
  added: { readonly files: readonly File[] };
  /** Files were rejected and not sent. `paths` also names items that were not opened: hidden files and folders. */
  refused: { readonly reason: RefusalReason; readonly files: readonly OfFile[]; readonly paths: readonly string[] };
  progress: OfFile & UploadProgress;
  /** Fires a few times a second at most. */
  totalprogress: TotalProgress;
  uploaded: OfFile & { readonly uploaded: UploadedFile };
  failed: OfFile & { readonly error: UploadError };
  /** A file was cancelled or removed from the list. A stored file stays stored. */
  removed: OfFile & { readonly uploaded?: UploadedFile };
  /** No file is uploading or waiting any more. */
  finished: TotalProgress;
}

/** The element's own events by name. */
export type CubbyUploadEventMap = {
  readonly [Name in keyof CubbyUploadDetails]: CustomEvent<CubbyUploadDetails[Name]>;
};

/** Every event of the element. Its own events take precedence over the platform's events of the same name. */
export type CubbyUploadListenerMap = Omit<HTMLElementEventMap, keyof CubbyUploadEventMap> & CubbyUploadEventMap;
