import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** A program that tests run. */
interface Program {
  /** The package of Debian that has it. */
  readonly debianPackage: string;
  /** A command that succeeds if it is installed. By default the program must be in PATH. */
  readonly check?: readonly [command: string, ...args: readonly string[]];
  /** Only `test:long` runs it, so `npm run test:all` needs no such package. */
  readonly isOnlyLong?: true;
}

const ceph = { debianPackage: 'ceph-common', isOnlyLong: true } as const;

/**
 * The programs that tests run, beside those which every machine has for `npm test`: Node, npm, git, sh and the core
 * utilities.
 */
const programs = {
  aria2c: { debianPackage: 'aria2' },
  // Another package manager's aws can have any version.
  aws: { debianPackage: 'awscli', check: ['python3', '-c', 'import awscli.clidriver'] },
  'barman-cloud-backup': { debianPackage: 'barman-cli-cloud' },
  bash: { debianPackage: 'bash' },
  boto3: { debianPackage: 'python3-boto3', check: ['python3', '-c', 'import boto3'] },
  bsdtar: { debianPackage: 'libarchive-tools' },
  caddy: { debianPackage: 'caddy' },
  ceph,
  'ceph-authtool': ceph,
  'ceph-mon': { debianPackage: 'ceph-mon', isOnlyLong: true },
  'ceph-osd': { debianPackage: 'ceph-osd', isOnlyLong: true },
  chromium: { debianPackage: 'chromium' },
  curl: { debianPackage: 'curl' },
  duplicity: { debianPackage: 'duplicity' },
  go: { debianPackage: 'golang-go' },
  gofmt: { debianPackage: 'golang-go' },
  mmdebstrap: { debianPackage: 'mmdebstrap', isOnlyLong: true },
  'mkfs.ext4': { debianPackage: 'e2fsprogs' },
  monmaptool: ceph,
  mount: { debianPackage: 'mount' },
  nginx: { debianPackage: 'nginx-light' },
  openssl: { debianPackage: 'openssl' },
  perl: { debianPackage: 'perl' },
  pgbackrest: { debianPackage: 'pgbackrest' },
  pg_ctlcluster: { debianPackage: 'postgresql' },
  pgbouncer: { debianPackage: 'pgbouncer' },
  php: { debianPackage: 'php-cli' },
  'php-curl': { debianPackage: 'php-curl', check: ['php', '-r', 'exit((int) !extension_loaded("curl"));'] },
  prometheus: { debianPackage: 'prometheus' },
  promtool: { debianPackage: 'prometheus' },
  ps: { debianPackage: 'procps' },
  python3: { debianPackage: 'python3' },
  radosgw: { debianPackage: 'radosgw', isOnlyLong: true },
  'radosgw-admin': { debianPackage: 'radosgw', isOnlyLong: true },
  rclone: { debianPackage: 'rclone' },
  requests: { debianPackage: 'python3-requests', check: ['python3', '-c', 'import requests'] },
  restic: { debianPackage: 'restic' },
  s3cmd: { debianPackage: 's3cmd' },
  s3fs: { debianPackage: 's3fs' },
  s4cmd: { debianPackage: 's4cmd' },
  strace: { debianPackage: 'strace' },
  'systemd-analyze': { debianPackage: 'systemd' },
  tar: { debianPackage: 'tar' },
  umount: { debianPackage: 'mount' },
  unshare: { debianPackage: 'util-linux' },
  unzip: { debianPackage: 'unzip' },
  wget: { debianPackage: 'wget' },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;

/** The names of all programs that tests may run. */
export const programNames = Object.keys(programs) as readonly ProgramName[];

const debianFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * PATH with the folders of Debian first, for the programs of others. Those of another package manager can have any
 * version.
 */
export const programPath = (process.env.PATH ?? '')
  .split(delimiter)
  .toSorted((a, b) => Number(debianFolders.includes(b)) - Number(debianFolders.includes(a)))
  .join(delimiter);

/** Returns the path of a program, or `undefined` if it is in no folder of PATH. */
export function findProgram(name: string): string | undefined {
  return programPath
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const found = new Map<ProgramName, boolean>();

function isThere(name: ProgramName): boolean {
  const { check }: Program = programs[name];
  const known = found.get(name);
  if (known !== undefined) return known;
  const [command, ...args] = check ?? [];
  const is =
    command === undefined
      ? findProgram(name) !== undefined
      : spawnSync(command, args, { env: { PATH: programPath }, stdio: 'ignore' }).status === 0;
  found.set(name, is);
  return is;
}

/**
 * Returns the reason why tests with these programs cannot run on this machine, or `undefined` if they can. Pass it to
 * `describe.skipIf`, and put `because(reason)` in the title, so that a skip says its reason.
 *
 * @throws with `CUBBY_TEST_PROGRAMS=required`, if a program is missing
 */
export function noProgram(...names: readonly ProgramName[]): string | undefined {
  const absent = names.filter((name) => !isThere(name));
  if (absent.length === 0) return undefined;
  const reason = `there is no ${absent.join(', ')} (Debian: apt-get install ${packagesOf(absent).join(' ')})`;
  return isLong || !absent.every(isOnlyLong) ? lacking(reason) : reason;
}

/** Returns the reason. @throws it with `CUBBY_TEST_PROGRAMS=required` */
export function lacking(reason: string): string {
  if (process.env.CUBBY_TEST_PROGRAMS === 'required') throw new Error(`CUBBY_TEST_PROGRAMS=required, and ${reason}.`);
  return reason;
}

/** Returns how the title of tests that are skipped ends. */
export function because(reason: string | undefined): string {
  return reason === undefined ? '' : ` (skipped: ${reason})`;
}

/** Returns Debian's packages of the programs that `npm run test:all` runs and this machine lacks. */
export function missingPackages(): readonly string[] {
  return packagesOf(programNames.filter((name) => !isOnlyLong(name) && !isThere(name)));
}

function isOnlyLong(name: ProgramName): boolean {
  const { isOnlyLong: is }: Program = programs[name];
  return is === true;
}

function packagesOf(names: readonly ProgramName[]): string[] {
  return [...new Set(names.map((name) => programs[name].debianPackage))];
}
