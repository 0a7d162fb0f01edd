import { abortIdleUploads } from '../chunked/abort-idle-uploads.ts';
import { deleteByRule } from '../objects/delete-by-rule.ts';
import { deleteExpired } from '../objects/delete-expired.ts';
import { hashContents } from '../objects/hash-contents.ts';
import { reapBlobs } from './reap-blobs.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import {
  forgetClosedUploads,
  forgetActivity,
  forgetUploadTokens,
  forgetShares,
  forgetChatUsage,
  forgetEdgeErrors,
  forgetDeliveries,
  forgetCodes,
} from './forget.ts';

export interface JobDeps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'delete' | 'open'>;
  /** Aborted when the server stops, for the jobs that take long. */
  readonly signal?: AbortSignal;
}

interface Job {
  /** Whether it deletes for good what a wrong clock calls old; such a job waits after a jump of the clock. */
  readonly trustsClock: boolean;
  /** Does all that is to be done at `now`, and answers how much that was. May run twice at once. */
  run(deps: JobDeps, now: number): Promise<number>;
}

/** In the order in which they run: bytes go after the rows that named them, and what takes long comes last. */
export const jobs = {
  'delete-expired': { trustsClock: true, run: deleteExpired },
  'delete-by-rule': { trustsClock: true, run: deleteByRule },
  'abort-idle-uploads': { trustsClock: true, run: abortIdleUploads },
  'forget-closed-uploads': { trustsClock: true, run: forgetClosedUploads },
  'forget-activity': { trustsClock: true, run: forgetActivity },
  'forget-upload-tokens': { trustsClock: true, run: forgetUploadTokens },
  'forget-shares': { trustsClock: true, run: forgetShares },
  'forget-chat-usage': { trustsClock: true, run: forgetChatUsage },
  'forget-edge-errors': { trustsClock: true, run: forgetEdgeErrors },
  'forget-deliveries': { trustsClock: true, run: forgetDeliveries },
  // What a wrong clock takes here is asked for anew within a minute.
  'forget-codes': { trustsClock: false, run: forgetCodes },
  'reap-blobs': { trustsClock: false, run: reapBlobs },
  'hash-contents': { trustsClock: false, run: hashContents },
} as const satisfies Readonly<Record<string, Job>>;

export type JobName = keyof typeof jobs;

export const jobNames = Object.keys(jobs) as JobName[];
