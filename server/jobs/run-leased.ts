import { underLease, type JobLeases } from '#server/domain/ports/job-leases.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

interface Deps {
  readonly metadata: Metadata;
  /** Undefined if only one server runs jobs. */
  readonly leases: JobLeases | undefined;
}

/**
 * Runs a job while this server has its lease.
 *
 * @param pauseMs how long ago another server must have run it
 * @param run gets the store for the job, whose transactions write only while this server has the lease
 * @returns undefined if another server runs it, or has run it within `pauseMs`
 */
export async function runLeased(
  { metadata, leases }: Deps,
  name: string,
  pauseMs: number,
  run: (metadata: Metadata) => Promise<number>,
): Promise<number | undefined> {
  if (!leases) return run(metadata);
  const lease = await leases.take(name, pauseMs);
  if (!lease) return undefined;
  try {
    return await run(underLease(metadata, lease));
  } finally {
    await leases.end(lease);
  }
}
