import type { StartQuery } from './api.ts';
import type { Credential } from './credentials.ts';
import type { ResumeStore } from './resume-store.ts';
import type { RetryPolicy } from './retry.ts';

/** Where the file goes and how it is kept: the contract's own names. Without `name` one is made of the file's name. */
export type UploadQuery = Omit<StartQuery, 'filename' | 'mime_type' | 'size'>;

export interface UploadProgress {
  /** Bytes that are stored or on their way. It falls when a part has to be sent again. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** How many of them were sent by an earlier page or program, and need not be sent now. */
  readonly resumedBytes: number;
}

/**
 * Where an upload stands. The last three are final. `checking`: it was begun earlier, and what is stored is compared with the
 * file before anything is sent. `offline`: the server cannot be reached, and is tried again and again.
 */
export type UploadState = 'uploading' | 'checking' | 'offline' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** The file as it is stored. */
export interface UploadedFile {
  readonly id: string;
  /** Public address; null for a private file. */
  readonly url: string | null;
  readonly isPrivate: boolean;
  readonly sizeBytes: number;
  /** Null when the server still reckons it; the file's details show it later. */
  readonly sha256: string | null;
  /** ISO 8601; left out when the file stays. */
  readonly expiresAt?: string;
  /** How many parts it was sent in; left out when it went in one request. */
  readonly parts?: number;
}

export interface UploadOptions {
  /** Of the server, without `/v1`. In a page it may be left out: its own origin is taken. */
  readonly baseUrl?: string;
  readonly credential: Credential;
  readonly query?: UploadQuery;
  /** For a Blob, which has no name of its own; its ending decides the type that the file is served with. */
  readonly fileName?: string;
  /** Parts under way at once; 6 when left out, which is what the server takes from an account. */
  readonly concurrency?: number;
  /** Bytes of a part. Left out it grows with the file from 8 MiB to 32 MiB. */
  readonly chunkSizeBytes?: number;
  /** Larger files go in parts; 16 MiB when left out, 100 MiB at the most. */
  readonly singleUpToBytes?: number;
  /** `sha256`: what arrives is checked against what was read, and damaged parts are sent again. `none` saves the reckoning, and leaves nothing to resume after a reload by. */
  readonly checksum?: 'sha256' | 'none';
  readonly retry?: Partial<RetryPolicy>;
  /** Where an upload is remembered. IndexedDB in browsers, nowhere in Node; `null` for nowhere. */
  readonly resumeStore?: ResumeStore | null;
  /**
   * Whose uploads these are, in words of the page's own (a user and a project, say): only those of the same scope are resumed.
   * With it another upload token is trusted to lead where the first one led; without it that is tried.
   */
  readonly resumeScope?: string;
  /** Cancels the upload when it is aborted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly onState?: (state: UploadState) => void;
  /** In the place of the platform's own; bytes on their way are not counted then. */
  readonly fetch?: typeof fetch;
}

/** One upload under way. */
export interface UploadHandle {
  /** The stored file; refused with an UploadError. A refusal that nobody waits for ends no program. */
  readonly done: Promise<UploadedFile>;
  readonly state: UploadState;
  readonly progress: UploadProgress;
  /** Begins nothing more. Requests under way come to their end and count; what is stored stays stored for a day. */
  pause(): void;
  /** Goes on. A request that stood still during the pause is sent again. */
  resume(): void;
  /**
   * Ends it and removes what was stored of it; resolves when that is done, as well as it can be. After a failure it removes
   * what was kept to be taken up again.
   */
  cancel(): Promise<void>;
}
