import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { Endpoint } from '../signed-request.ts';
import { startForks, type Forks } from './forks.ts';

const root = join(import.meta.dirname, '../../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';
const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0;
/** Only Debian's programs, because those of other package managers can have any version. */
const path = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** A program that tests run, and its Debian package. */
export interface Program {
  readonly name: string;
  readonly debianPackage: string;
  /** A shell command that succeeds when it is installed. Default: a search for the name. */
  readonly check?: string;
  /** The modules of a program in Python, which take longer to load than its work takes. */
  readonly modules?: readonly string[];
}

/**
 * Returns the reason why tests of a program cannot run on this machine, or `undefined` if they can. Pass it to
 * `describe.skipIf` and put it in the suite's title. As root on Debian, a missing program fails the test with a hint
 * what to install.
 */
export function noProgram(program: Program): string | undefined {
  return canInstall || isThere(program)
    ? undefined
    : `there is no ${program.name} (Debian: apt-get install ${program.debianPackage})`;
}

/** @throws when a program is missing on a machine where it could be installed */
export function needProgram(program: Program): void {
  if (!isThere(program))
    throw new Error(
      `There is no ${program.name}. Run: apt-get update && apt-get install --yes --no-install-recommends ${program.debianPackage}`,
    );
}

function isThere({ name, check = `command -v ${name}` }: Program): boolean {
  return spawnSync('sh', ['-c', check], { env: { PATH: path } }).status === 0;
}

/** The reason why FUSE cannot mount anything here, as in most containers. */
export const noFuse: string | undefined =
  existsSync('/dev/fuse') && process.getuid?.() === 0 && mayMount()
    ? undefined
    : 'this machine allows no FUSE (no /dev/fuse, or no right to mount)';

function mayMount(): boolean {
  return spawnSync('sh', ['-c', 'unshare --mount true && test -w /dev/fuse']).status === 0;
}

/** A folder that is also the home of the programs. It is removed after the test. */
export interface Workplace {
  readonly folder: string;
  /** Writes a file, with its folders. */
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  read(name: string): Promise<Buffer>;
  /** Runs a shell script, and returns its output. @throws with its errors when it fails */
  run(script: string): Promise<string>;
  /** Runs the recipe under a heading of docs/s3.md. */
  follow(heading: string): Promise<string>;
}

/** Starts a process that runs a program in Python faster. The long run does not use it. */
export async function forksOf({ name, modules }: Program): Promise<Forks | undefined> {
  if (modules === undefined || isLong) return undefined;
  const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH: path }, encoding: 'utf8' });
  return startForks(stdout.trim(), modules, { PATH: path });
}

/**
 * A folder and the environment in which the recipes of docs/s3.md work.
 *
 * @param commands a folder with commands that replace those of the machine
 */
export async function workplace(
  { url, accessKeyId, secretAccessKey }: Endpoint,
  commands?: string,
): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-s3-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: commands === undefined ? path : `${commands}:${path}`,
    HOME: folder,
    S3_URL: url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const start = (program: string, args: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      execFile(program, args, { cwd: folder, env, timeout: 150_000, maxBuffer: 16_777_216 }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
      );
    });
  return {
    folder,
    async write(name, bytes) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), bytes);
    },
    read: (name) => readFile(join(folder, name)),
    run: (script) => start('bash', ['--norc', '-euo', 'pipefail', '-c', script]),
    async follow(heading) {
      const { language, code } = await recipeUnder(heading);
      if (language === 'sh') return start('bash', ['--norc', '-euo', 'pipefail', '-c', code]);
      if (language === 'py') return start('python3', ['-c', code]);
      // Within the package, so that its dependencies are found.
      const file = join(root, 'dist', `s3-recipe-${process.pid}-${heading.length}.mjs`);
      await mkdir(join(root, 'dist'), { recursive: true });
      await writeFile(file, code);
      try {
        return await start(process.execPath, [file]);
      } finally {
        await rm(file, { force: true });
      }
    },
  };
}

async function recipeUnder(heading: string): Promise<{ readonly language: string; readonly code: string }> {
  const page = await readFile(join(root, 'docs/s3.md'), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const [, language, code] = /```(sh|js|py)\n([^]*?)```/.exec(section ?? '') ?? [];
  if (language === undefined || code === undefined) throw new Error(`docs/s3.md has no recipe under "${heading}".`);
  return { language, code };
}
