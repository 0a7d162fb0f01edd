import { purgeTrash } from '#server/features/trash/purge-versions.ts';
import { abortIdleUploads } from '#server/features/uploads/abort-idle-uploads.ts';
import { deleteByRule } from '#server/features/files/delete-by-rule.ts';
import { deleteExpired } from '#server/features/files/delete-expired.ts';
import { finishMasterKeyRotation } from '../master-key/finish-rotation.ts';
import { hashContents } from '#server/features/files/hash-contents.ts';
import { reapBlobs } from './reap-blobs.ts';
import { removeAccounts } from './remove-accounts.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { scrub, type ScrubSettings } from '../store-check/scrub.ts';
import type { BlobQuarantine, BlobStore, BlobUpkeep } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import {
  forgetClosedUploads,
  forgetActivity,
  forgetEvents,
  forgetFolderJobs,
  forgetWebhookDeliveries,
  forgetUploadTokens,
  forgetShares,
  forgetFileRequests,
  forgetChatUsage,
  forgetAiRequests,
  forgetEdgeErrors,
  forgetDeliveries,
  forgetCodes,
  forgetTraffic,
} from './forget.ts';

export interface JobDeps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'delete' | 'ids' | 'open' | 'openInline'>;
  readonly blobUpkeep?: BlobUpkeep;
  readonly quarantine?: BlobQuarantine;
  readonly secrets: Secrets;
  /** Without it, the scrub does nothing. */
  readonly scrub?: ScrubSettings | undefined;
  /** How long events are kept. */
  readonly eventsKeptMs: number;
  /** How long requests to models are kept; 0: not at all. */
  readonly aiRequestsKeptMs: number;
  /** Aborted when the server stops, for long jobs. */
  readonly signal?: AbortSignal;
}

interface Job {
  /** Whether a wrong clock could make it delete too much. Such a job waits after a jump of the clock. */
  readonly trustsClock: boolean;
  /** Does all work that is due at `now`. Returns the number of items. Two runs may overlap. */
  run(deps: JobDeps, now: number): Promise<number>;
}

/** In the order in which they run: bytes are removed after the rows that named them, and long jobs come last. */
export const jobs = {
  'delete-expired': { trustsClock: true, run: deleteExpired },
  'delete-by-rule': { trustsClock: true, run: deleteByRule },
  'purge-trash': { trustsClock: true, run: purgeTrash },
  'abort-idle-uploads': { trustsClock: true, run: abortIdleUploads },
  'forget-closed-uploads': { trustsClock: true, run: forgetClosedUploads },
  'forget-activity': { trustsClock: true, run: forgetActivity },
  'forget-events': { trustsClock: true, run: forgetEvents },
  'forget-webhook-deliveries': { trustsClock: true, run: forgetWebhookDeliveries },
  'forget-folder-jobs': { trustsClock: true, run: forgetFolderJobs },
  'forget-upload-tokens': { trustsClock: true, run: forgetUploadTokens },
  'forget-shares': { trustsClock: true, run: forgetShares },
  'forget-file-requests': { trustsClock: true, run: forgetFileRequests },
  'forget-chat-usage': { trustsClock: true, run: forgetChatUsage },
  'forget-traffic': { trustsClock: true, run: forgetTraffic },
  'forget-ai-requests': { trustsClock: true, run: forgetAiRequests },
  'forget-edge-errors': { trustsClock: true, run: forgetEdgeErrors },
  'forget-deliveries': { trustsClock: true, run: forgetDeliveries },
  'remove-accounts': { trustsClock: true, run: removeAccounts },
  // A wrong clock would end API keys that nobody has used yet.
  'finish-key-rotation': { trustsClock: true, run: finishMasterKeyRotation },
  // A wrong clock removes only codes and sessions, which people can ask for again.
  'forget-codes': { trustsClock: false, run: forgetCodes },
  // The ages of blobs come from the clock of their store.
  'sweep-orphans': { trustsClock: false, run: sweepOrphans },
  'reap-blobs': { trustsClock: false, run: reapBlobs },
  'hash-contents': { trustsClock: false, run: hashContents },
  // A wrong clock makes it read too much or too little, and it deletes nothing.
  scrub: { trustsClock: false, run: scrub },
} as const satisfies Readonly<Record<string, Job>>;

export type JobName = keyof typeof jobs;

export const jobNames = Object.keys(jobs) as JobName[];
