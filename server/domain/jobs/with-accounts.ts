import { underLease, type AccountLeases } from '../ports/job-leases.ts';
import type { Metadata, TableName } from '../ports/metadata.ts';

interface Deps<Names extends TableName> {
  readonly metadata: Metadata<Names>;
  /** Undefined if only one server runs jobs. */
  readonly accountLeases?: AccountLeases | undefined;
}

/**
 * Works on those of the accounts that no other server works on in the same job.
 *
 * @param work gets the accounts that were free, each with the store for it, whose transactions write only while this
 *   server has the account
 */
export async function withAccounts<Names extends TableName, T>(
  { metadata, accountLeases }: Deps<Names>,
  job: string,
  accountIds: readonly string[],
  work: (taken: ReadonlyMap<string, Metadata<Names>>) => Promise<T>,
): Promise<T> {
  if (!accountLeases) return work(new Map(accountIds.map((accountId) => [accountId, metadata])));
  const leases = await accountLeases.take(job, accountIds);
  try {
    return await work(new Map(leases.map((lease) => [lease.accountId, underLease(metadata, lease)])));
  } finally {
    await accountLeases.end(leases);
  }
}
