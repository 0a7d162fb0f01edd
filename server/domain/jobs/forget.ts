import { firstKeptDay, startOfDay } from '../account/usage-days.ts';
import {
  activityKeptMs,
  chatUsageKeptMs,
  chunkedUploadKeptMs,
  deliveriesKnownMs,
  edgeErrorsKeptMs,
  endedCodesKeptMs,
  endedSharesKeptMs,
  spentDownloadsKeptMs,
  uploadTokensKeptMs,
} from '../limits.ts';
import type { NumberRange } from '#server/features/edge-errors/table.ts';
import type { Metadata, TableName, Transaction, Writes } from '../ports/metadata.ts';
import { endExpiredShares } from '#server/features/shares/end-expired-shares.ts';
import { endExpiredRequests } from '#server/features/file-requests/end-expired-requests.ts';
import { folderJobsKeptMs } from '#server/features/folders/folder-job.ts';
import { deliveriesKeptMs } from '#server/features/webhooks/delivery.ts';
import { sweep } from '../sweep.ts';

/** Rows in one transaction, few enough not to delay requests. */
const batchRows = 500;

/** Removes rows that are too old at `now`, in batches. Returns how many. May run at any time, and twice. */
type Forget<Names extends TableName> = (deps: { readonly metadata: Writes<Names> }, now: number) => Promise<number>;

/** @param forget removes up to `limit` rows of each kind, and returns how many */
function forgetting<Names extends TableName>(
  forget: (tx: Transaction<Names>, now: number, limit: number) => Promise<number>,
): Forget<Names> {
  return ({ metadata }, now) =>
    sweep(
      batchRows,
      async (limit) => ({ length: await metadata.atomically((tx) => forget(tx, now, limit)) }),
      async ({ length }) => length,
    );
}

/** Removes activity that is older than 90 days. */
export const forgetActivity = forgetting<'activity'>((tx, now, limit) =>
  tx.activity.forgetBefore(now - activityKeptMs, limit),
);

/** Removes events that are older than the operator keeps them. */
export function forgetEvents(
  deps: { readonly metadata: Writes<'events'>; readonly eventsKeptMs: number },
  now: number,
): Promise<number> {
  return forgetting<'events'>((tx, _now, limit) => tx.events.forgetBefore(now - deps.eventsKeptMs, limit))(deps, now);
}

/** Removes deliveries to webhooks that ended 7 days ago. */
export const forgetWebhookDeliveries = forgetting<'webhooks'>((tx, now, limit) =>
  tx.webhooks.forgetEndedBefore(now - deliveriesKeptMs, limit),
);

/** Removes jobs over folders 30 days after their end. */
export const forgetFolderJobs = forgetting<'folderJobs'>((tx, now, limit) =>
  tx.folderJobs.forgetEndedBefore(now - folderJobsKeptMs, limit),
);

/** Removes uploads that were closed 24 hours ago. */
export const forgetClosedUploads = forgetting<'chunkedUploads'>((tx, now, limit) =>
  tx.chunkedUploads.forgetClosed(now - chunkedUploadKeptMs, limit),
);

/**
 * Removes upload tokens a day after they expired. A token that began a chunked upload stays while the upload is stored,
 * because the browser may still use it.
 */
export const forgetUploadTokens = forgetting<'uploadTokens'>((tx, now, limit) =>
  tx.uploadTokens.forgetExpiredBefore(now - uploadTokensKeptMs, limit),
);

/**
 * Adds the events of links that have expired. Removes links 30 days after that, and spent downloads a day after their
 * last bytes were taken.
 */
export async function forgetShares(
  deps: { readonly metadata: Metadata<'events' | 'shares'> },
  now: number,
): Promise<number> {
  return (await endExpiredShares(deps, now)) + (await forgetEndedShares(deps, now));
}

const forgetEndedShares = forgetting<'shares'>(async ({ shares }, now, limit) => {
  const downloads = await shares.forgetDownloadsBefore(now - spentDownloadsKeptMs, limit);
  return downloads + (await shares.forgetExpiredBefore(now - endedSharesKeptMs, limit));
});

/** Adds the events of file requests whose deadline has passed. Removes what is left of deleted ones. */
export async function forgetFileRequests(
  deps: { readonly metadata: Metadata<'events' | 'fileRequests'> },
  now: number,
): Promise<number> {
  return (await endExpiredRequests(deps, now)) + (await forgetDeletedRequests(deps, now));
}

const forgetDeletedRequests = forgetting<'fileRequests'>((tx, _now, limit) => tx.fileRequests.forgetDeleted(limit));

/** Removes the AI usage of days that are too old. */
export const forgetChatUsage = forgetting<'chat'>((tx, now, limit) =>
  tx.chat.forgetDaysBefore(startOfDay(now - chatUsageKeptMs), limit),
);

/** Removes the requests and sent bytes of days that are too old. */
export const forgetTraffic = forgetting<'traffic'>((tx, now, limit) =>
  tx.traffic.forgetBefore(firstKeptDay(now), limit),
);

/** Removes requests to models that are older than the operator keeps them. */
export function forgetAiRequests(
  deps: { readonly metadata: Writes<'aiRequests'>; readonly aiRequestsKeptMs: number },
  now: number,
): Promise<number> {
  const before = now - deps.aiRequestsKeptMs;
  return forgetting<'aiRequests'>((tx, _now, limit) => tx.aiRequests.forgetBefore(before, limit))(deps, now);
}

/** Applications or paths in one transaction. There are as many as accounts, and few have old counts. */
const rangeRows = 200;

/**
 * Removes counts of errors that are older than 400 days, paths that then have none, and checkpoints of logs that have
 * not grown since then.
 */
export async function forgetEdgeErrors(
  deps: { readonly metadata: Metadata<'edgeErrors' | 'edgeLogs'> },
  now: number,
): Promise<number> {
  const { metadata } = deps;
  const before = now - edgeErrorsKeptMs;
  let forgotten = 0;
  for await (const apps of rangesOf((after) => metadata.read.edgeErrors.nextApps(after, rangeRows)))
    forgotten += await forgetting<'edgeErrors'>((tx, _now, limit) => tx.edgeErrors.forgetBefore(before, apps, limit))(
      deps,
      now,
    );
  for await (const paths of rangesOf((after) => metadata.read.edgeErrors.nextPaths(after, rangeRows)))
    forgotten += await metadata.atomically((tx) => tx.edgeErrors.forgetUnusedPaths(paths));
  return forgotten + (await forgetEdgeLogs(deps, now));
}

const forgetEdgeLogs = forgetting<'edgeLogs'>((tx, now, limit) =>
  tx.edgeLogs.forgetBefore(now - edgeErrorsKeptMs, limit),
);

async function* rangesOf(next: (after: number) => Promise<NumberRange | undefined>): AsyncGenerator<NumberRange> {
  for (let range = await next(0); range; range = await next(range.until)) yield range;
}

/** Removes deliveries of git hosts that came more than 30 days ago. */
export const forgetDeliveries = forgetting<'gitDeliveries'>((tx, now, limit) =>
  tx.gitDeliveries.forgetBefore(now - deliveriesKnownMs, limit),
);

/** Removes requests for keys a day after they expired, and expired sessions. */
export const forgetCodes = forgetting<'browserSessions' | 'deviceRequests' | 'sessions'>(async (tx, now, limit) => {
  const requests = await tx.deviceRequests.forgetBefore(now - endedCodesKeptMs, limit);
  const sessions = await tx.sessions.forgetBefore(now, limit);
  return requests + sessions + (await tx.browserSessions.forgetBefore(now, limit));
});
