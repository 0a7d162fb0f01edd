import type { UploadProgress, UploadedFile } from '../options.ts';
import type { UploadError } from '../upload-error.ts';
import type { RefusalReason } from './limits.ts';
import type { TotalProgress } from './totals.ts';

/** A file with its path in the folder it came with, or its name alone. */
interface OfFile {
  readonly file: File;
  readonly path: string;
}

/** What each event tells in its `detail`. */
export interface CubbyUploadDetails {
  /** A file is about to be taken; `preventDefault()` leaves it out. */
  adding: OfFile;
  added: { readonly files: readonly File[] };
  /** Files were not taken; nothing of them was sent. `paths` also names what was not looked into and so is no file here: hidden files, folders. */
  refused: { readonly reason: RefusalReason; readonly files: readonly OfFile[]; readonly paths: readonly string[] };
  progress: OfFile & UploadProgress;
  /** A few times a second at the most. */
  totalprogress: TotalProgress;
  uploaded: OfFile & { readonly uploaded: UploadedFile };
  failed: OfFile & { readonly error: UploadError };
  /** A file was cancelled or taken out of the list. What is stored stays stored. */
  removed: OfFile & { readonly uploaded?: UploadedFile };
  /** Nothing is under way or waits any more. */
  finished: TotalProgress;
}

/** The element's own events by their names. */
export type CubbyUploadEventMap = {
  readonly [Name in keyof CubbyUploadDetails]: CustomEvent<CubbyUploadDetails[Name]>;
};

/** Every event of the element: its own go before those of any other element with the same name. */
export type CubbyUploadListenerMap = Omit<HTMLElementEventMap, keyof CubbyUploadEventMap> & CubbyUploadEventMap;
