import { startOfDay } from '../account/usage-days.ts';
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
import type { TableName, Transaction, Writes } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';

/** Rows in one transaction: few enough that requests in between do not notice. */
const batchRows = 500;

/** Removes rows that are too old at `now`, in batches, and answers how many. May run at any time, and twice. */
type Forget<Names extends TableName> = (deps: { readonly metadata: Writes<Names> }, now: number) => Promise<number>;

/** @param forget removes `limit` rows of each kind, or all that are left, and answers how many */
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

/** Activity that is older than 90 days. */
export const forgetActivity = forgetting<'activity'>((tx, now, limit) =>
  tx.activity.forgetBefore(now - activityKeptMs, limit),
);

/** What is remembered of uploads that were closed 24 hours ago. */
export const forgetClosedUploads = forgetting<'chunkedUploads'>((tx, now, limit) =>
  tx.chunkedUploads.forgetClosed(now - chunkedUploadKeptMs, limit),
);

/**
 * Tokens a day after they expired. Those that a chunked upload was opened with stay as long as it is known, however
 * long that is: its browser may still come back with them.
 */
export const forgetUploadTokens = forgetting<'uploadTokens'>((tx, now, limit) =>
  tx.uploadTokens.forgetExpiredBefore(now - uploadTokensKeptMs, limit),
);

/**
 * Links 30 days after they expired, until when they say so, and spent downloads a day after their last byte was taken.
 */
export const forgetShares = forgetting<'shares'>(async ({ shares }, now, limit) => {
  const downloads = await shares.forgetDownloadsBefore(now - spentDownloadsKeptMs, limit);
  return downloads + (await shares.forgetExpiredBefore(now - endedSharesKeptMs, limit));
});

/** The usage of days that are over for long. */
export const forgetChatUsage = forgetting<'chat'>((tx, now, limit) =>
  tx.chat.forgetDaysBefore(startOfDay(now - chatUsageKeptMs), limit),
);

/** Counts of errors that are older than 400 days, and where logs were left that have not grown since. */
export const forgetEdgeErrors = forgetting<'edgeErrors' | 'edgeLogs'>(async (tx, now, limit) => {
  const counts = await tx.edgeErrors.forgetBefore(now - edgeErrorsKeptMs, limit);
  return counts + (await tx.edgeLogs.forgetBefore(now - edgeErrorsKeptMs, limit));
});

/** Deliveries of git hosts that were taken more than 30 days ago. */
export const forgetDeliveries = forgetting<'gitDeliveries'>((tx, now, limit) =>
  tx.gitDeliveries.forgetBefore(now - deliveriesKnownMs, limit),
);

/**
 * Requests for keys a day after their time ran out, until when their clients are told what became of them, and sessions
 * that are over.
 */
export const forgetCodes = forgetting<'deviceRequests' | 'sessions'>(async (tx, now, limit) => {
  const requests = await tx.deviceRequests.forgetBefore(now - endedCodesKeptMs, limit);
  return requests + (await tx.sessions.forgetBefore(now, limit));
});
