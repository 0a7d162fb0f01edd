import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { askSharedServer } from '#test/support/ask-shared-server.ts';
import { makePristine, readPristine, type Pristine } from './pristine.ts';

/** A database of its own on the run's PostgreSQL server. */
export interface TestDatabase {
  readonly url: string;
  /** Ends all connections to the database, which is gone from this address. May be called twice. */
  drop(): Promise<void>;
}

/** What a template holds. `name` tells templates of one run apart. */
export interface Template {
  readonly name: string;
  /** Fills the template. Runs once in a run of tests. It must leave no connection open. */
  fill(url: string): Promise<void>;
}

/**
 * Makes a database, empty or as a copy of a template. The first call in a run of tests also starts the server.
 *
 * A copy has 400 files, and making and removing them costs much more than emptying it. So `drop()` empties a copy under
 * a new name, for a later test of this process, unless its schema has changed or it has grown large.
 *
 * @see DECISIONS, "Faults are provoked on real systems"
 * @throws where there is no PostgreSQL. Ask `noPostgres()` in programs.ts first
 */
export async function freshDatabase(template?: Template): Promise<TestDatabase> {
  const { url: server } = await askSharedServer('postgres');
  const admin = await adminOf(server);
  const name = (template && emptied.get(template.name)?.pop()) ?? (await newDatabase(admin, server, template));
  let dropping: Promise<void> | undefined;
  return {
    url: databaseUrl(server, name),
    drop: () => (dropping ??= template ? empty(admin, server, name, template) : remove(admin, name)),
  };
}

/** Databases as their template makes them, by its name. */
const emptied = new Map<string, string[]>();

const pristine = new Map<string, Pristine>();

async function newDatabase(admin: pg.Client, server: string, template?: Template): Promise<string> {
  const name = newName();
  if (template) await ensureTemplate(server, template);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template ? nameOf(template) : 'template0'}`);
  if (template && !pristine.has(template.name))
    pristine.set(template.name, await connected(databaseUrl(server, name), readPristine));
  return name;
}

/** Empties a database and keeps it for a later test, under a new name. The old address leads nowhere. */
async function empty(admin: pg.Client, server: string, oldName: string, template: Template): Promise<void> {
  const name = newName();
  if (!(await rename(admin, oldName, name))) return;
  const isPristine = await connected(databaseUrl(server, name), (client) =>
    makePristine(client, pristine.get(template.name)!),
  );
  if (!isPristine) return remove(admin, name);
  const others = emptied.get(template.name);
  if (others) others.push(name);
  else emptied.set(template.name, [name]);
}

/** Ends all connections to a database and renames it. Returns false if the test has removed it. */
async function rename(admin: pg.Client, oldName: string, name: string): Promise<boolean> {
  try {
    // Otherwise a pool of the test connects again meanwhile.
    await admin.query(`ALTER DATABASE ${oldName} ALLOW_CONNECTIONS false`);
  } catch (error) {
    if ((error as pg.DatabaseError).code === noSuchDatabase) return false;
    throw error;
  }
  const end = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';
  while ((await admin.query(end, [oldName])).rowCount !== 0) await admin.query('SELECT pg_sleep(0.002)');
  await admin.query(`ALTER DATABASE ${oldName} RENAME TO ${name}`);
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  return true;
}

const noSuchDatabase = '3D000';

async function remove(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

const newName = () => `test_${randomBytes(8).toString('hex')}`;

let shared: { readonly server: string; readonly admin: Promise<pg.Client> } | undefined;

/** Returns the one connection of this process that makes and removes databases. */
function adminOf(server: string): Promise<pg.Client> {
  if (shared?.server !== server) shared = { server, admin: openAdmin(server) };
  return shared.admin;
}

async function openAdmin(server: string): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: server });
  // The server ends with the run of tests.
  admin.on('error', () => (shared = undefined));
  await admin.connect();
  return admin;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the template if no other test file has done so. Others wait meanwhile. */
function ensureTemplate(server: string, template: Template): Promise<void> {
  const name = nameOf(template);
  // A connection of its own, because a lock belongs to a connection.
  return connected(server, async (admin) => {
    const isThere = async () =>
      (await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rowCount === 1;
    if (await isThere()) return;
    await admin.query('SELECT pg_advisory_lock(4711)');
    if (await isThere()) return;
    const making = `making_${name}`;
    await admin.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${making} TEMPLATE template0`);
    await template.fill(databaseUrl(server, making));
    // It has its name only when it is complete.
    await admin.query(`ALTER DATABASE ${making} RENAME TO ${name}`);
  });
}

const nameOf = ({ name }: Template) => `template_${name}`;

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
