import { databaseUrl, type DatabaseUrl } from '#server/config/database-url.ts';
import { Reader } from '#server/config/values.ts';
import { migrate } from '#server/stores/postgres/migrations.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import type { Template } from './postgres.ts';

/** A database with all tables and no rows. */
export const migrated: Template = {
  name: 'migrated',
  async fill(url) {
    const pool = new PostgresPool(parsedUrl(url));
    await migrate(pool);
    await pool.close();
  },
};

/** Returns the address as the configuration gives it to the store. */
export function parsedUrl(url: string): DatabaseUrl {
  const reader = new Reader({ CUBBY_DATABASE_URL: url });
  const parsed = databaseUrl(reader);
  if (!parsed) throw new Error(reader.problems.join());
  return parsed;
}
