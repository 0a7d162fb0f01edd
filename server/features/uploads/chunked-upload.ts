import type { Checksum, ChecksumAlgorithm, ChecksumType } from '#server/domain/checksums/algorithms.ts';
import { chunkedUploadIdleMs } from '#server/domain/limits.ts';
import { chunkedUploadKeptMs } from './limits.ts';
import type { ReceivedBlob } from '#server/domain/contents/table.ts';
import type { ClientProperties } from '#server/features/files/object.ts';
import type { ResolvedUpload } from '#server/features/files/upload/resolve-upload.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { PartNumber } from './part-number.ts';

export type UploadState = 'open' | 'completed' | 'aborted';

export type UploadEvent = 'part' | 'status' | 'complete' | 'abort' | 'idle';

/**
 * The state after an event, in each state. An event that is not listed is rejected, as if the upload did not exist. An
 * event that keeps a closed upload as it is repeats the earlier response.
 */
export const transitions: Readonly<Record<UploadState, Partial<Record<UploadEvent, UploadState>>>> = {
  open: { part: 'open', status: 'open', complete: 'completed', abort: 'aborted', idle: 'aborted' },
  completed: { complete: 'completed' },
  aborted: { abort: 'aborted' },
};

/**
 * An upload of one file in parts. Everything about the file is fixed when the upload is started. Sizes are bytes,
 * instants milliseconds since the epoch.
 */
export interface ChunkedUpload {
  readonly id: string;
  readonly accountId: string;
  /** The upload token that opened it; null for a key. */
  readonly tokenId: string | null;
  readonly resolved: ResolvedUpload;
  /** The size of the whole file, if it was declared at the start. */
  readonly declaredBytes: number | null;
  /** Given for an upload whose completion lists its parts. */
  readonly listed: ListedUpload | null;
  /** Given for an upload that a protocol of serial bytes started. */
  readonly serial: SerialUpload | null;
  /**
   * The id of what somebody without an account sends it to. The feature of that has opened it, checks its limits, and
   * chooses the place of its file when it is complete. Null for an upload of the account itself.
   */
  readonly sentTo: string | null;
  /** The name that the client gave the file, with its folders if others send it; null without one. */
  readonly originalName: string | null;
  readonly state: UploadState;
  readonly startedAt: number;
  /** When it was started or last got a part. A part that begins long after that counts from its beginning. */
  readonly activeAt: number;
  readonly closedAt: number | null;
  /** Counts every change to its parts. */
  readonly revision: number;
  readonly storedBytes: number;
  /** Null until it is completed. */
  readonly outcome: UploadOutcome | null;
  /** Names the request that may append to it at present. Null if none does. */
  readonly writer: string | null;
}

/** The facts about an upload that only protocols of serial bytes need. */
export interface SerialUpload {
  /** The conditions of the start, which hold when the file is written. */
  readonly conditions?: WriteConditions;
  /** The metadata header of the start, as it was sent. */
  readonly metadata?: string;
  /** Whether it only becomes a piece of another upload's file. */
  readonly isPartial?: true;
  /** The uploads that it was made of, as its start named them. */
  readonly madeOf?: string;
}

/**
 * The options of an upload whose completion lists its parts. These parts may be larger than others, empty, and numbered
 * with gaps. Only the door that started the upload accepts them.
 */
export interface ListedUpload {
  /** The properties that its file will have. */
  readonly properties: ClientProperties;
  /** The checksum that its client chose. Each part gets one of this algorithm. */
  readonly checksum: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | null;
  /** The conditions of the start, which hold when the file is written. */
  readonly conditions?: WriteConditions;
}

/** The result of a completion. A repeated completion returns the same. */
export interface UploadOutcome {
  readonly sizeBytes: number;
  readonly parts: number;
  readonly sha256: string | null;
  readonly expiresAt: number | null;
  readonly etag: string;
  readonly versionId: string;
  /** Whether it replaced a file. */
  readonly isReplaced: boolean;
  /** Given for a listed upload that was started with one. */
  readonly checksum?: Checksum;
}

/** A stored part. Its bytes are durable. */
export interface UploadPart {
  readonly part: PartNumber;
  /** Grows with each part that the upload gets, even if it replaces another. */
  readonly sequence: number;
  readonly blob: ReceivedBlob;
  /** In hex. */
  readonly md5: string;
  readonly receivedAt: number;
  /** Set if the server cut it from serial bytes. Such a part may be smaller than others. */
  readonly isCut?: true;
}

/**
 * A part in a list. It leaves out the bytes that the row of a small part contains, because a list may have thousands of
 * parts.
 */
export interface StoredPart extends Omit<UploadPart, 'blob'> {
  readonly blob: Omit<ReceivedBlob, 'inline'> & { readonly isInline: boolean };
}

/** A part that is about to be stored. */
export type NewPart = Omit<UploadPart, 'sequence' | 'receivedAt'>;

/**
 * Returns the state at `now`. An upload is aborted once it has been idle for 24 hours, even before the job has closed
 * it.
 */
export function stateAt({ state, activeAt }: Pick<ChunkedUpload, 'state' | 'activeAt'>, now: number): UploadState {
  return state === 'open' && activeAt <= now - chunkedUploadIdleMs ? 'aborted' : state;
}

/**
 * Returns the state that an event leads to.
 *
 * @throws UPLOAD_NOT_FOUND if it is closed for that event, or was closed 24 hours ago
 */
export function stateAfter(upload: ChunkedUpload | undefined, event: UploadEvent, now: number): UploadState {
  const next = upload && !isForgotten(upload, now) ? transitions[stateAt(upload, now)][event] : undefined;
  if (next === undefined) throw new Refusal('UPLOAD_NOT_FOUND');
  return next;
}

function isForgotten({ closedAt, activeAt }: ChunkedUpload, now: number): boolean {
  // An idle upload has no `closedAt` until the job has closed it.
  return (closedAt ?? activeAt + chunkedUploadIdleMs) <= now - chunkedUploadKeptMs;
}
