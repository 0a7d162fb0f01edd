import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { freePort } from '#test/support/free-port.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because, findProgram, noProgram } from '#test/support/programs.ts';
import { startTestServer } from '#test/support/server.ts';

const missing = noPostgres() ?? noProgram('pgbouncer');

/** It refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/**
 * Starts PgBouncer with the defaults of Debian before a new database. Returns the address of the database through it.
 */
async function pooled(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const database = await freshDatabase();
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const [folder, ownPort] = [await mkdtemp(join(tmpdir(), 'cubby-pooler-')), await freePort()];
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  await chmod(folder, 0o755);
  if (nobody.uid !== undefined) await chown(file, nobody.uid, nobody.gid);
  const pooler = spawn(findProgram('pgbouncer')!, [file], { ...nobody, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    pooler.kill('SIGKILL');
    if (pooler.exitCode === null && pooler.signalCode === null) await once(pooler, 'exit');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  let said = '';
  for await (const chunk of pooler.stderr) if ((said += String(chunk)).includes('process up')) break;
  expect(said).toContain('process up');
  return `postgres://${username}@127.0.0.1:${ownPort}${pathname}?sslmode=disable`;
}

describe.skipIf(missing !== undefined)(`a database behind PgBouncer${because(missing)}`, () => {
  it('in session mode serves, and has the time limits', { timeout: 240_000 }, async () => {
    const url = await pooled('session');
    const dataDir = await mkdtemp(join(tmpdir(), 'cubby-pooled-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startTestServer({ dataDir, env: { CUBBY_DATABASE_URL: url } });
    const { credential } = await server.account();
    const stored = await server.send('/v1/objects?name=a', { method: 'POST', credential, body: formWith(someBytes()) });
    expect(stored.status).toBe(200);
    const pool = new PostgresPool(parsedUrl(url), { deadlineMs: 1234 });
    onTestFinished(() => pool.close());
    const { rows } = await pool.query(
      "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), " +
        "current_setting('idle_in_transaction_session_timeout')",
    );
    expect(rows).toEqual([['1234ms', '734ms', '3s']]);
    await server.stop();
  });

  it.each(['transaction', 'statement'] as const)('in %s mode is refused with the setting to change', async (mode) => {
    const url = await pooled(mode);
    await expect(startTestServer({ env: { CUBBY_DATABASE_URL: url } })).rejects.toThrow(
      /behind a pooler, such as PgBouncer.*Set pool_mode = session/,
    );
  });
});
