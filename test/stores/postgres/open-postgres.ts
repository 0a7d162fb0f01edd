import { onTestFinished } from 'vitest';

import { PostgresMetadata, type PostgresMetadataOptions } from '#server/stores/postgres/metadata.ts';
import { PostgresPool, type PoolOptions } from '#server/stores/postgres/pool.ts';
import { TestClock } from '#test/support/clock.ts';
import { migrated, parsedUrl } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { relaxed } from '#test/support/postgres/time-limits.ts';

/** A store over a database of its own, as `metadataConformance()` takes it. */
export interface PostgresInTest {
  readonly metadata: PostgresMetadata;
  readonly pool: PostgresPool;
  readonly clock: TestClock;
  readonly url: string;
  readonly deletionMarks: () => number;
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

/** Opens a store over a fresh database with all tables. It is closed when the test ends. Its time limits are long. */
export async function openPostgres(
  options: Partial<PostgresMetadataOptions & PoolOptions> = {},
): Promise<PostgresInTest> {
  const database = await freshDatabase(migrated);
  const clock = new TestClock();
  const faults: unknown[] = [];
  let deletionMarks = 0;
  const pool = new PostgresPool(parsedUrl(database.url), { timeLimitFactor: relaxed, ...options });
  const metadata = new PostgresMetadata(pool, {
    now: () => clock.now(),
    onFault: (error) => void faults.push(error),
    onMarkedForDeletion: () => void deletionMarks++,
    ...options,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= metadata.close().then(() => database.drop()));
  try {
    onTestFinished(close);
  } catch {
    // Opened by a hook, which closes it.
  }
  return { metadata, pool, clock, url: database.url, deletionMarks: () => deletionMarks, faults, close };
}
