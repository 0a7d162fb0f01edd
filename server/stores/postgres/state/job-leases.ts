import type { JobLease, JobLeases } from '#server/domain/ports/job-leases.ts';
import { databaseMs, type StateDatabase } from './database.ts';

/** Leases in rows. A job is free again when the lease of its process has ended. Instants are the database's. */
export class PostgresJobLeases implements JobLeases {
  readonly #database: StateDatabase;
  readonly #owner: () => string;

  /** @param owner returns the id of this replica */
  constructor(database: StateDatabase, owner: () => string) {
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * Takes a job again that this process has taken: it runs one at a time, and a lost connection repeats the statement.
   */
  async take(job: string, pauseMs: number): Promise<JobLease | undefined> {
    const [row] = await this.#database.run<readonly [epoch: number]>(
      `INSERT INTO job_leases AS kept (job, epoch, owner, ended_at) VALUES ($1, 1, $2, 0)
       ON CONFLICT (job) DO UPDATE SET epoch = kept.epoch + 1, owner = excluded.owner
       WHERE kept.ended_at <= ${databaseMs} - $3::bigint AND NOT EXISTS (
         SELECT 1 FROM replicas
         WHERE replica_id = kept.owner AND replica_id <> excluded.owner AND leased_until > ${databaseMs}
       )
       RETURNING epoch`,
      [job, this.#owner(), pauseMs],
    );
    return row && { job, epoch: row[0] };
  }

  async end({ job, epoch }: JobLease, earlierMs = 0): Promise<void> {
    await this.#database.run(
      `UPDATE job_leases SET owner = NULL, ended_at = ${databaseMs} - $3::bigint WHERE job = $1 AND epoch = $2`,
      [job, epoch, earlierMs],
    );
  }
}
