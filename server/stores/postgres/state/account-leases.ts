import type { AccountLease, AccountLeases } from '#server/domain/ports/job-leases.ts';
import { databaseMs, type StateDatabase } from './database.ts';

/** Leases of accounts in rows. An account is free again when the lease of its process has ended. */
export class PostgresAccountLeases implements AccountLeases {
  readonly #database: StateDatabase;
  readonly #owner: () => string;

  /** @param owner returns the id of this replica */
  constructor(database: StateDatabase, owner: () => string) {
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * Takes an account again that this process has: a job runs once at a time in it, and a lost connection repeats the
   * statement. The accounts are sorted, so that two processes never wait for each other.
   */
  async take(job: string, accountIds: readonly string[]): Promise<readonly AccountLease[]> {
    if (accountIds.length === 0) return [];
    const owner = this.#owner();
    const rows = await this.#database.run<readonly [accountId: string]>(
      `INSERT INTO account_leases AS kept (job, leased_id, owner)
       SELECT $1, leased_id, $2 FROM unnest($3::text[]) AS one (leased_id)
       ON CONFLICT (job, leased_id) DO UPDATE SET owner = excluded.owner
       WHERE NOT EXISTS (
         SELECT 1 FROM replicas
         WHERE replica_id = kept.owner AND replica_id <> excluded.owner AND leased_until > ${databaseMs}
       )
       RETURNING leased_id`,
      [job, owner, [...accountIds].toSorted()],
    );
    return rows.map(([accountId]) => ({ job, accountId, owner }));
  }

  async end(leases: readonly AccountLease[]): Promise<void> {
    if (leases.length === 0) return;
    const [{ job, owner }] = leases as [AccountLease];
    await this.#database.post(
      'DELETE FROM account_leases WHERE job = $1 AND leased_id = ANY ($2::text[]) AND owner = $3',
      [job, leases.map(({ accountId }) => accountId), owner],
    );
  }
}
