import { dayMs } from '#server/domain/day.ts';

/**
 * The payload of a git push, as JSON: its depth, and the values and bytes of the fields that are read. The contract
 * limits its size.
 */
export const pushPayload = { maxDepth: 32, maxValues: 30_000, maxKeptBytes: 4 * 1_048_576 } as const;

/** Branches of one push that are deployed. */
export const maxPushedBranches = 100;

/** Pushes of a webhook, or uses of a deploy hook, in 15 seconds while the operator lets deploys coalesce. */
export const maxCoalescedPushes = 20;

/** How long a delivery of a git host is remembered: 30 days. GitHub can redeliver for 3 days. */
export const deliveriesKnownMs = 30 * dayMs;

/**
 * How far the signed time of a delivery may be from now, before or after.
 *
 * @see https://www.standardwebhooks.com
 */
export const signedDeliveryToleranceMs = 5 * 60_000;

/** How long a deploy's lease lasts, and how often its runner renews it. */
export const deployLeaseMs = 30_000;
export const deployHeartbeatMs = 10_000;

/** How long cloning a repository may take. After that the deploy is tried again. */
export const deployCloneMs = 600_000;

/**
 * How long a deploy waits after its first, second and third try, if its repository could not be read or its runner
 * disappeared. The fourth try is the last.
 */
export const deployBackoffMs: readonly number[] = [10_000, 60_000, 300_000];

/** How much of a deploy's output is stored, and for how long after its end. */
export const maxDeployLogBytes = 1_048_576;
export const deployLogKeptMs = 90 * dayMs;

/** Longer lines of a deploy's output are divided for clients. */
export const maxLogLineBytes = 8192;
