import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { noUseExitCode } from '#server/check-node.js';
import { parseConfig } from '#server/config/config.ts';
import { openLog } from '#server/log.ts';
import { startFailure, type StartFailure } from '#server/start-failure.ts';
import { startServer } from '#server/start.ts';
import { cubbyHere } from '#test/cli/cubby.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { failToStart, temporaryFolder } from './program.ts';

type Env = Readonly<Record<string, string>>;

const freePorts: Env = Object.fromEntries(
  ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
);

/** Starts a server in this process, which must fail, as `server/main.js` does. */
async function failureWith(env: Env): Promise<StartFailure> {
  const all = {
    CUBBY_DATA_DIR: join(await temporaryFolder(), 'data'),
    CUBBY_MIN_FREE_BYTES: '0',
    ...freePorts,
    ...env,
  };
  try {
    const server = await startServer(parseConfig(all), openLog('silent'));
    await server.stop();
  } catch (error) {
    return startFailure(error);
  }
  throw new Error('The server has started.');
}

async function aFile(text = 'text'): Promise<string> {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, text);
  return path;
}

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return String((server.address() as AddressInfo).port);
}

interface Case {
  /** The setting that the sentence names. */
  readonly names: string;
  readonly what: string;
  readonly env: () => Env | Promise<Env>;
  /** Whether another start may succeed with the same settings. */
  readonly mayPass?: boolean;
}

const folder = (what: string, path: () => string | Promise<string>): Case => ({
  names: 'CUBBY_DATA_DIR',
  what,
  env: async () => ({ CUBBY_DATA_DIR: await path() }),
});
const setting = (names: string, value: string, more: Partial<Case> & { readonly beside?: Env } = {}): Case => ({
  names,
  what: value,
  env: () => ({ [names]: value, ...more.beside }),
  ...more,
});
const missing = '/nowhere/at/all';
const bucketKeys: Env = { CUBBY_BLOBS_ACCESS_KEY_ID: 'a', CUBBY_BLOBS_SECRET_ACCESS_KEY: 'b' };
const unreachable = 'postgres://cubby:x@127.0.0.1:9/cubby?sslmode=disable';

const cases: readonly Case[] = [
  folder('a file', aFile),
  folder('below a file', async () => join(await aFile(), 'below')),
  folder('below a device', () => '/dev/null/x'),
  ...(existsSync('/proc/self')
    ? [
        folder('in /proc, where Node creates folders without end', () => '/proc/x'),
        folder('deep in /proc', () => '/proc/x/y/z'),
      ]
    : []),
  // A container may have an empty folder there.
  ...(existsSync('/sys/kernel') ? [folder('in /sys', () => '/sys/x')] : []),
  folder('a link to nothing', async () => {
    const link = join(await temporaryFolder(), 'link');
    await symlink(missing, link);
    return link;
  }),
  folder('a link to itself', async () => {
    const link = join(await temporaryFolder(), 'link');
    await symlink(link, link);
    return link;
  }),
  folder('a name that is too long', async () => join(await temporaryFolder(), 'n'.repeat(300))),
  folder('a path with a NUL', () => '/tmp/a\0b'),
  folder('a folder of other things that is open to others', async () => {
    const path = await temporaryFolder();
    await mkdir(join(path, 'pictures'));
    await chmod(path, 0o755);
    return path;
  }),
  {
    ...folder('a folder whose master key is a folder', async () => {
      const path = await temporaryFolder();
      await mkdir(join(path, 'master.key'));
      return path;
    }),
    names: 'master.key',
  },
  setting('CUBBY_HOST', 'nohost.invalid'),
  setting('CUBBY_OPERATOR_HOST', 'nohost.invalid'),
  setting('CUBBY_HOST', '192.0.2.1', { mayPass: true }),
  setting('CUBBY_HOST', '2001:db8::1', { mayPass: true }),
  setting('CUBBY_OPERATOR_HOST', '192.0.2.1', { mayPass: true }),
  setting('CUBBY_HOST', 'fe80::1', { mayPass: true }),
  setting('CUBBY_HOST', '127.0.0.1:7400'),
  setting('CUBBY_API_PORT', '65536'),
  setting('CUBBY_S3_PORT', '-1'),
  setting('CUBBY_S3_PORT', 'http'),
  {
    names: 'CUBBY_S3_PORT',
    what: 'a port that is taken',
    env: async () => ({ CUBBY_S3_PORT: await takenPort() }),
    mayPass: true,
  },
  {
    names: 'CUBBY_OPERATOR_PORT',
    what: 'a port that is taken',
    env: async () => ({ CUBBY_OPERATOR_PORT: await takenPort() }),
    mayPass: true,
  },
  setting('CUBBY_DATABASE_URL', 'mysql://cubby@127.0.0.1/cubby'),
  setting('CUBBY_DATABASE_URL', 'postgres://cubby@db.example.com/cubby'),
  setting('CUBBY_DATABASE_URL', unreachable, { mayPass: true }),
  setting('CUBBY_DATABASE_URL', 'postgres://cubby@nohost.invalid/cubby?sslmode=disable', { mayPass: true }),
  setting('CUBBY_DATABASE_URL', `postgres://cubby@127.0.0.1/cubby?sslmode=verify-full&sslrootcert=${missing}`),
  setting('CUBBY_DATABASE_PASSWORD_FILE', missing, { beside: { CUBBY_DATABASE_URL: 'postgres://cubby@127.0.0.1/c' } }),
  setting('CUBBY_BLOBS_URL', 'http://127.0.0.1:9/bucket', { beside: bucketKeys }),
  setting('CUBBY_BLOBS_URL', 's3://bucket/?endpoint=http://127.0.0.1:9', { mayPass: true, beside: bucketKeys }),
  setting('CUBBY_MASTER_KEY_FILE', missing),
  setting('CUBBY_KEY_ENCRYPTION_KEY_FILE', missing),
  setting('CUBBY_AI_MODELS_FILE', missing),
  setting('CUBBY_WORKERS', '0'),
  setting('CUBBY_MIN_FREE_BYTES', 'some'),
  setting('CUBBY_NO_SUCH_SETTING', 'on'),
];

describe.skipIf(process.platform === 'win32')('a setting that the server cannot start with', () => {
  it.each(cases)('gets one sentence with its name: $names, $what', async ({ names, env, mayPass }) => {
    const { text, exitCode } = await failureWith(await env());
    expect(text).toContain(names);
    expect(text).not.toMatch(/\n\s+at |node:internal|\[object /);
    const lines = text.split('\n');
    expect(lines.length, text).toBe(/^The configuration has a problem:$/.test(lines[0]!) ? 2 : 1);
    // What to do is a sentence that begins so, or says what a value must be.
    expect(text).toMatch(/\b(Set|set|See|Keep|Put|Unset|must|Write|Check|Its form is)\b/);
    // The first answer of a name server depends on the machine.
    if (names.endsWith('_HOST') && text.includes('nohost')) return expect([1, noUseExitCode]).toContain(exitCode);
    expect(exitCode).toBe(mayPass === true ? 1 : noUseExitCode);
  });

  it.skipIf(noPostgres() !== undefined)('names a database that PostgreSQL does not have', async () => {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    const { text, exitCode } = await failureWith({ CUBBY_DATABASE_URL: url.href });
    expect([exitCode, text]).toEqual([1, expect.stringMatching(/^[^\n]*no_such_database[^\n]*CUBBY_DATABASE_URL\.$/)]);
  });

  it('ends the program, with a code that systemd starts it no more after', async () => {
    const server = await failToStart({ dataDir: '/proc/x' });
    expect(server).toEqual({
      code: noUseExitCode,
      stdout: '',
      stderr:
        'The data folder /proc/x cannot be made: its file system takes no new folders. Set CUBBY_DATA_DIR to a ' +
        'folder on a disk of this machine.\n',
    });
    const unit = await readFile(new URL('../../deploy/systemd/cubby.service', import.meta.url), 'utf8');
    expect(unit).toContain(`RestartPreventExitStatus=${noUseExitCode}\n`);
  });

  it('ends a command with 1, as every failure does', async () => {
    const { code, stderr } = await cubbyHere('/proc/x')('account', 'create', '--name', 'a', '--plan', 'pro');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: The data folder \/proc\/x cannot be made: .*\n$/),
    ]);
  });
});
