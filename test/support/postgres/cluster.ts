import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '#test/support/free-port.ts';
import { guardOf, type Guard } from '#test/support/guard.ts';
import { copyPackage, findPostgres, giveTo, runProgram, serverUser, type ServerUser } from './programs.ts';

/** A PostgreSQL server of its own in a temporary folder, on a free port of 127.0.0.1. */
export interface PostgresCluster {
  readonly port: number;
  /** The process id of the server. */
  readonly pid: number;
  /** The address of a database, with the password of the superuser `cubby`. */
  url(database?: string): string;
  /** Starts a second server that follows this one. Each has to be stopped. */
  standby(settings?: PostgresSettings): Promise<PostgresCluster>;
  /** Makes a standby the primary. Resolves when it takes writes. */
  promote(): Promise<void>;
  /** Ends the server at once, as a crash does, and keeps its folder until `stop()`. */
  kill(): Promise<void>;
  /** Ends the server and removes its folder. May be called twice. */
  stop(): Promise<void>;
}

/** Settings of `postgresql.conf`. They replace the defaults of these tests. */
export type PostgresSettings = Readonly<Record<string, string | number>>;

/** What a durable server needs: everything is synced, and standbys may follow. */
export const durable: PostgresSettings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_senders: 10,
};

const defaults: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  // No test cuts the power. A killed server loses nothing without syncs either.
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_connections: 400,
  shared_buffers: '128MB',
  // A checkpoint would write in the middle of some test.
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
  jit: 'off',
  timezone: 'UTC',
  log_min_messages: 'warning',
};

/** Starts a server with an empty database `postgres`. It takes about a second. @throws if there is no PostgreSQL */
export async function startCluster(settings: PostgresSettings = {}): Promise<PostgresCluster> {
  const place = await newPlace();
  try {
    await makeCluster(place);
    return await startIn(place, { ...defaults, ...settings });
  } catch (error) {
    await place.guard.release();
    throw error;
  }
}

async function makeCluster(place: Place): Promise<void> {
  const passwords = join(place.folder, 'password');
  writeFileSync(passwords, place.password, { mode: 0o600 });
  giveTo(place.user, passwords);
  // MD5 takes a thousandth of SCRAM's time for each new connection.
  const options = ['-U', 'cubby', '-A', 'md5', `--pwfile=${passwords}`, '--encoding=UTF8', '--locale=C', '--no-sync'];
  await runProgram(join(place.bin, 'initdb'), ['-D', place.data, ...options, '--data-checksums'], { user: place.user });
}

interface Place {
  readonly folder: string;
  readonly data: string;
  readonly bin: string;
  readonly user: ServerUser | undefined;
  readonly password: string;
  readonly guard: Guard;
}

async function newPlace(password = randomBytes(12).toString('hex')): Promise<Place> {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'cubby-postgres-'));
  giveTo(user, folder);
  const bin = programs.isPackage ? copyPackage(programs, join(folder, 'programs')) : programs.bin;
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  giveTo(user, data);
  return { folder, data, bin, user, password, guard: guardOf(folder) };
}

async function startIn(place: Place, settings: PostgresSettings): Promise<PostgresCluster> {
  const { folder, data, bin, user, password, guard } = place;
  const port = await freePort();
  const given = { ...settings, port, unix_socket_directories: folder };
  const args = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
    ...user,
    cwd: '/',
    // Of its own group, so that Ctrl-C in a terminal reaches only us, and the guard ends it.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  closeSync(log);
  const gone = once(child, 'exit');
  guard.add(child.pid!, 'QUIT');
  child.unref();
  await ready(child, place);
  const cluster: PostgresCluster = {
    port,
    pid: child.pid!,
    url: (database = 'postgres') => `postgres://cubby:${password}@127.0.0.1:${port}/${database}`,
    async standby(more = {}) {
      const copy = await newPlace(password);
      const source = `host=127.0.0.1 port=${port} user=cubby application_name=standby`;
      const base = ['-D', copy.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source];
      await runProgram(join(bin, 'pg_basebackup'), base, { user, env: { PGPASSWORD: password } });
      return startIn(copy, { ...settings, hot_standby: 'on', ...more });
    },
    async promote() {
      await runProgram(join(bin, 'pg_ctl'), ['promote', '-D', data, '-w', '-t', '20'], { user });
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      process.kill(child.pid!, 'SIGQUIT');
      await gone;
    },
    async stop() {
      await cluster.kill();
      await guard.release();
    },
  };
  return cluster;
}

/** Waits until the server says in its `postmaster.pid` that it takes connections. A standby says "standby". */
async function ready(child: ChildProcess, { data, folder }: Place): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const state = read(join(data, 'postmaster.pid')).split('\n')[7]?.trim();
    if (state === 'ready' || state === 'standby') return;
    await sleep(10);
  }
  throw new Error(`PostgreSQL did not start:\n${read(join(folder, 'log'))}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
