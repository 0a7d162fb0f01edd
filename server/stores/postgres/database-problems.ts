import type { PostgresPool } from './pool.ts';

const invalidIndexes = `SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1`;

const unchecked = `SELECT conname || ' of ' || conrelid::regclass::text FROM pg_constraint
  WHERE contype IN ('f', 'c') AND NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1`;

const failures =
  'SELECT coalesce(checksum_failures, 0)::bigint FROM pg_stat_database WHERE datname = ' + 'current_database()';

/**
 * Returns what PostgreSQL knows to be wrong, one sentence each. It checks its own pages while it reads them, if the
 * cluster has checksums; `pg_amcheck` reads all of them.
 */
export async function databaseProblems(pool: PostgresPool): Promise<string[]> {
  const texts = async (sql: string) => (await pool.query<readonly [string]>(sql)).rows.map(([text]) => text);
  const failed = Number((await texts(failures))[0] ?? 0);
  return [
    ...(await texts(invalidIndexes)).map(
      (name) => `PostgreSQL: the index ${name} is not valid. Run REINDEX INDEX ${name}.`,
    ),
    ...(await texts(unchecked)).map((name) => `PostgreSQL: the constraint ${name} was not checked for all rows.`),
    ...(failed > 0 ? [`PostgreSQL has found ${failed} damaged pages since its statistics began. Run pg_amcheck.`] : []),
  ];
}
