import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { askSharedServer } from '#test/support/ask-shared-server.ts';

/** A database of its own on the run's PostgreSQL server. */
export interface TestDatabase {
  readonly url: string;
  /** Ends all connections to the database and removes it. May be called twice. */
  drop(): Promise<void>;
}

/** What a template holds. `name` tells templates of one run apart. */
export interface Template {
  readonly name: string;
  /** Fills the template. Runs once in a run of tests. It must leave no connection open. */
  fill(url: string): Promise<void>;
}

/**
 * Makes a database, empty or as a copy of a template. It takes some 30 ms. The first call in a run of tests also starts
 * the server.
 *
 * @throws where there is no PostgreSQL. Ask `noPostgres()` in programs.ts first
 */
export async function freshDatabase(template?: Template): Promise<TestDatabase> {
  const { url: server } = await askSharedServer('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(server, async (admin) => {
    if (template) await ensureTemplate(admin, server, template);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template ? nameOf(template) : 'template0'}`);
  });
  return {
    url: databaseUrl(server, name),
    drop: () =>
      asAdmin(server, async (admin) => void (await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Makes the template if no other test file has done so. Others wait meanwhile. */
async function ensureTemplate(admin: pg.Client, url: string, template: Template): Promise<void> {
  const name = nameOf(template);
  const isThere = async () =>
    (await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rowCount === 1;
  if (await isThere()) return;
  await admin.query('SELECT pg_advisory_lock(4711)');
  if (!(await isThere())) {
    const making = `making_${name}`;
    await admin.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${making} TEMPLATE template0`);
    await template.fill(databaseUrl(url, making));
    // It has its name only when it is complete.
    await admin.query(`ALTER DATABASE ${making} RENAME TO ${name}`);
  }
  await admin.query('SELECT pg_advisory_unlock(4711)');
}

const nameOf = ({ name }: Template) => `template_${name}`;

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
