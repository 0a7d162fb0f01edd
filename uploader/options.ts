import type { StartQuery } from './api.ts';
import type { Credential } from './credentials.ts';
import type { ResumeStore } from './resume-store.ts';
import type { RetryPolicy } from './retry.ts';

/**
 * The destination and storage options of the file, with the contract's names. `name` defaults to one made from the file
 * name.
 */
export type UploadQuery = Omit<StartQuery, 'filename' | 'mime_type' | 'size'>;

export interface UploadProgress {
  /** Bytes that are stored or in flight. The value falls when a part has to be sent again. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** How many of `sentBytes` an earlier page or program sent. */
  readonly resumedBytes: number;
}

/**
 * The state of an upload. The last three are final.
 * - `checking`: the upload was started earlier, and its stored parts are compared with the file.
 * - `offline`: the server is unreachable, and requests are retried.
 */
export type UploadState = 'uploading' | 'checking' | 'offline' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** The stored file. */
export interface UploadedFile {
  readonly id: string;
  /** Public URL. Null for a private file. */
  readonly url: string | null;
  readonly isPrivate: boolean;
  readonly sizeBytes: number;
  /** Null while the server still computes it. The object's info shows it later. */
  readonly sha256: string | null;
  /** ISO 8601. Absent when the file never expires. */
  readonly expiresAt?: string;
  /** What the server signed about it, for a backend that verifies it. Absent while the SHA-256 is not known. */
  readonly receipt?: string;
  /** The number of parts. Absent when the file was sent in one request. */
  readonly parts?: number;
}

export interface UploadOptions {
  /** The address of the server, without `/v1`. Defaults to the page's own origin. */
  readonly baseUrl?: string;
  readonly credential: Credential;
  readonly query?: UploadQuery;
  /** For a Blob, which has no name. The extension decides the type that the file is served with. */
  readonly fileName?: string;
  /** Number of parts in flight. Defaults to 6, the server's limit for an account. */
  readonly concurrency?: number;
  /** Size of a part in bytes. By default it grows with the file from 8 MiB to 32 MiB. */
  readonly chunkSizeBytes?: number;
  /** Larger files are sent in parts. Defaults to 16 MiB. At most 100 MiB. */
  readonly singleUpToBytes?: number;
  /**
   * `sha256`: the server checks the received bytes, and damaged parts are sent again. `none` saves the hashing, but the
   * upload cannot be resumed after a reload.
   */
  readonly checksum?: 'sha256' | 'none';
  readonly retry?: Partial<RetryPolicy>;
  /**
   * The store for the upload's record. Defaults to IndexedDB in browsers and to no store in Node. `null` means no
   * store.
   */
  readonly resumeStore?: ResumeStore | null;
  /**
   * Names the owner of the uploads, as the page chooses, such as a user and a project. Only uploads of the same
   * scope are resumed. With a scope, every upload token is trusted to lead to the same destination. Without one, the
   * uploader tests where a new token leads.
   */
  readonly resumeScope?: string;
  /** Cancels the upload when aborted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly onState?: (state: UploadState) => void;
  /** Replaces the platform's `fetch`. Progress within a request is not reported then. */
  readonly fetch?: typeof fetch;
}

/** A running upload. */
export interface UploadHandle {
  /** Resolves to the stored file, or rejects with an UploadError. An unhandled rejection does not end the program. */
  readonly done: Promise<UploadedFile>;
  readonly state: UploadState;
  readonly progress: UploadProgress;
  /** Starts no further request. Requests in flight finish and count. The server keeps stored parts for a day. */
  pause(): void;
  /** Continues the upload. A request that got stuck during the pause is sent again. */
  resume(): void;
  /**
   * Ends the upload and removes its stored parts. Resolves when that is done or has failed. After a failed upload it
   * removes the parts and the record that were kept for resuming.
   */
  cancel(): Promise<void>;
}
