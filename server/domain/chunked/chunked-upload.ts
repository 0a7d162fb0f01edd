import { chunkedUploadIdleMs, chunkedUploadKeptMs } from '../limits.ts';
import type { BlobReference } from '../objects/contents-table.ts';
import type { UploadPlan } from '../objects/upload-plan.ts';
import { Refusal } from '../refusal.ts';
import type { ListedUpload } from './listed-upload.ts';
import type { Checksum } from '../checksums/algorithms.ts';

export type UploadState = 'open' | 'completed' | 'aborted';

export type UploadEvent = 'part' | 'status' | 'complete' | 'abort' | 'idle';

/**
 * The state after an event, in each state; what is left out is refused, since the upload is no longer there for it.
 * What keeps a closed upload as it is only answers again.
 */
export const transitions: Readonly<Record<UploadState, Partial<Record<UploadEvent, UploadState>>>> = {
  open: { part: 'open', status: 'open', complete: 'completed', abort: 'aborted', idle: 'aborted' },
  completed: { complete: 'completed' },
  aborted: { abort: 'aborted' },
};

/**
 * A file that comes in parts. What it will be is settled when it is started. Sizes are bytes, instants milliseconds
 * since the epoch.
 */
export interface ChunkedUpload {
  readonly id: string;
  readonly accountId: string;
  /** The upload token that opened it; null for a key. */
  readonly tokenId: string | null;
  readonly plan: UploadPlan;
  /** What its parts have to come to, as it was said at the start; null when nobody said. */
  readonly declaredBytes: number | null;
  /** What an upload carries besides whose completion lists its parts; null for others. */
  readonly listed: ListedUpload | null;
  /** As the client named it; null when it did not. */
  readonly originalName: string | null;
  readonly state: UploadState;
  readonly startedAt: number;
  /** When it was started or last got a part; also when a part began, where that was long after. */
  readonly activeAt: number;
  readonly closedAt: number | null;
  /** Counts every change to its parts. */
  readonly revision: number;
  readonly storedBytes: number;
  /** Once it is completed. */
  readonly outcome: UploadOutcome | null;
}

/** What a completion answers, each time that it is asked. */
export interface UploadOutcome {
  readonly sizeBytes: number;
  readonly parts: number;
  readonly sha256: string | null;
  readonly expiresAt: number | null;
  /** Left out by completions of older versions. */
  readonly etag?: string;
  /** Of a listed upload that was started with one. */
  readonly checksum?: Checksum;
}

/** A stored part; its bytes are durable. */
export interface UploadPart {
  /** From 1. */
  readonly part: number;
  /** Counts up with each part that the upload gets, also when one replaces another. */
  readonly sequence: number;
  readonly blob: BlobReference;
  /** In hex. */
  readonly md5: string;
  readonly receivedAt: number;
}

/**
 * A part as lists have it: without the bytes that the row of a small one holds, of which a list of them may have a
 * great many.
 */
export interface StoredPart extends Omit<UploadPart, 'blob'> {
  readonly blob: Omit<BlobReference, 'inline'> & { readonly isInline: boolean };
}

/** What a part is stored with; the rest comes with the storing. */
export type NewPart = Omit<UploadPart, 'sequence' | 'receivedAt'>;

/**
 * The state at `now`: an upload is aborted from the moment on at which it has been idle for 24 hours, whenever a job
 * comes by.
 */
export function stateAt({ state, activeAt }: Pick<ChunkedUpload, 'state' | 'activeAt'>, now: number): UploadState {
  return state === 'open' && activeAt <= now - chunkedUploadIdleMs ? 'aborted' : state;
}

/**
 * The state that an event leads to.
 *
 * @throws UPLOAD_NOT_FOUND when it is closed for that event, or was closed 24 hours ago
 */
export function stateAfter(upload: ChunkedUpload | undefined, event: UploadEvent, now: number): UploadState {
  const next = upload && !isForgotten(upload, now) ? transitions[stateAt(upload, now)][event] : undefined;
  if (next === undefined) throw new Refusal('UPLOAD_NOT_FOUND');
  return next;
}

function isForgotten({ closedAt, activeAt }: ChunkedUpload, now: number): boolean {
  // One that idled away has no instant of closing until the job comes by.
  return (closedAt ?? activeAt + chunkedUploadIdleMs) <= now - chunkedUploadKeptMs;
}
