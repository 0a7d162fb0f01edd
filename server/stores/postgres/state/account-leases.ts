import type { AccountLease, AccountLeases } from '#server/domain/ports/job-leases.ts';
import { databaseMs, type StateDatabase } from './database.ts';

/** Leases of accounts in rows. An account is free again when the lease of its process has ended. */
export class PostgresAccountLeases implements AccountLeases {
  readonly #database: StateDatabase;
  readonly #owner: () => string;
  /** Accounts that runs in this process have, or may still have in rows. The rows tell apart processes only. */
  readonly #here = new Set<string>();
  /** Leases that may be in rows although no run has them, because the database failed. */
  readonly #unended: Array<readonly AccountLease[]> = [];

  /** @param owner returns the id of this replica */
  constructor(database: StateDatabase, owner: () => string) {
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * A row of this process that no run in it has is taken again: a lost connection repeats the statement. The accounts
   * are sorted, so that two processes never wait for each other.
   */
  async take(job: string, accountIds: readonly string[]): Promise<readonly AccountLease[]> {
    if (accountIds.length === 0) return [];
    await Promise.all(this.#unended.splice(0).map((leases) => this.#giveBack(leases)));
    const owner = this.#owner();
    const wanted = accountIds
      .toSorted()
      .map((accountId) => ({ job, accountId, owner }))
      .filter((lease) => !this.#here.has(keyOf(lease)));
    if (wanted.length === 0) return [];
    for (const lease of wanted) this.#here.add(keyOf(lease));
    const ids = wanted.map(({ accountId }) => accountId);
    try {
      const rows = await this.#database.run<readonly [accountId: string]>(takeFree, [job, owner, ids]);
      const taken = new Set(rows.map(([accountId]) => accountId));
      for (const lease of wanted) if (!taken.has(lease.accountId)) this.#here.delete(keyOf(lease));
      return wanted.filter(({ accountId }) => taken.has(accountId));
    } catch (error) {
      this.#unended.push(wanted);
      throw error;
    }
  }

  async end(leases: readonly AccountLease[]): Promise<void> {
    if (leases.length === 0) return;
    // The next taking gives them back. An error here would hide the one of the job.
    await this.#giveBack(leases).catch(() => {});
  }

  /** If it fails, the accounts stay with this process until the next try. */
  async #giveBack(leases: readonly AccountLease[]): Promise<void> {
    const [{ job, owner }] = leases as [AccountLease];
    try {
      await this.#database.post(
        'DELETE FROM account_leases WHERE job = $1 AND leased_id = ANY ($2::text[]) AND owner = $3',
        [job, leases.map(({ accountId }) => accountId), owner],
      );
    } catch (error) {
      this.#unended.push(leases);
      throw error;
    }
    for (const lease of leases) this.#here.delete(keyOf(lease));
  }
}

const keyOf = ({ job, accountId }: AccountLease) => `${job} ${accountId}`;

/**
 * Rows that cannot be locked at once are passed over: a run may be writing under them, also one of a process that is
 * gone. So nobody waits for it, and all is decided at the time of one snapshot. Only new rows wait for each other, in
 * the order of their ids. An insert over a row that another process changes would wait for its end.
 */
const takeFree = `WITH free AS (
    SELECT leased_id FROM account_leases AS kept
    WHERE job = $1 AND leased_id = ANY ($3::text[]) AND (owner = $2 OR NOT EXISTS (
      SELECT 1 FROM replicas WHERE replica_id = kept.owner AND leased_until > ${databaseMs}))
    ORDER BY leased_id FOR UPDATE OF kept SKIP LOCKED
  ), taken AS (
    UPDATE account_leases AS kept SET owner = $2 FROM free
    WHERE kept.job = $1 AND kept.leased_id = free.leased_id RETURNING kept.leased_id
  ), added AS (
    INSERT INTO account_leases (job, leased_id, owner)
    SELECT $1, leased_id, $2 FROM unnest($3::text[]) AS one (leased_id)
    WHERE NOT EXISTS (SELECT 1 FROM account_leases AS kept WHERE kept.job = $1 AND kept.leased_id = one.leased_id)
    ORDER BY leased_id ON CONFLICT (job, leased_id) DO NOTHING RETURNING leased_id
  )
  SELECT leased_id FROM taken UNION ALL SELECT leased_id FROM added`;
