import { underLease, type JobLeases } from '#server/domain/ports/job-leases.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

interface Deps {
  readonly metadata: Metadata;
  /** Undefined if only one server runs jobs. */
  readonly leases: JobLeases | undefined;
}

/** How long ago another server must have run a job. */
interface LeasePause {
  readonly pauseMs: number;
  /** How long ago, if that run failed or was aborted. Default: as long. */
  readonly afterFailureMs?: number;
  /** Aborts the run, which may then return early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a job while this server has its lease.
 *
 * @param run gets the store for the job, whose transactions write only while this server has the lease
 * @returns undefined if another server runs it, or has run it within the pause
 */
export async function runLeased(
  { metadata, leases }: Deps,
  name: string,
  { pauseMs, afterFailureMs = pauseMs, signal }: LeasePause,
  run: (metadata: Metadata) => Promise<number>,
): Promise<number | undefined> {
  if (!leases) return run(metadata);
  const lease = await leases.take(name, pauseMs);
  if (!lease) return undefined;
  let isDone = false;
  try {
    const count = await run(underLease(metadata, lease));
    isDone = !signal?.aborted;
    return count;
  } finally {
    await leases.end(lease, isDone ? 0 : Math.max(0, pauseMs - afterFailureMs));
  }
}
