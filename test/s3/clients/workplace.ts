import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { needPrograms } from '#test/support/need-programs.ts';
import { findProgram, noProgram, programPath, type ProgramName } from '#test/support/programs.ts';
import type { Endpoint } from '../signed-request.ts';
import { startForks, type Forks } from './forks.ts';

const root = join(import.meta.dirname, '../../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';

/** The reason why FUSE cannot mount anything here, as in most containers. */
export const noFuse: string | undefined =
  noProgram('unshare') ??
  (existsSync('/dev/fuse') && process.getuid?.() === 0 && mayMount()
    ? undefined
    : 'this machine allows no FUSE (no /dev/fuse, or no right to mount)');

function mayMount(): boolean {
  return spawnSync('sh', ['-c', 'unshare --mount true && test -w /dev/fuse']).status === 0;
}

/** A folder that is also the home of the programs. It is removed after the test. */
export interface Workplace {
  readonly folder: string;
  /** Writes a file, with its folders. */
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  read(name: string): Promise<Buffer>;
  /**
   * Runs a shell script, and returns its output.
   *
   * @param patienceMs it is ended after that. Default 150 s
   * @throws with its errors when it fails
   */
  run(script: string, patienceMs?: number): Promise<string>;
  /** Runs the recipe under a heading of docs/s3.md. */
  follow(heading: string): Promise<string>;
}

/** The modules of programs in Python, which take longer to load than their work takes. */
const modulesOf: { readonly [Name in ProgramName]?: readonly string[] } = {
  aws: ['awscli.clidriver'],
  s3cmd: ['optparse', 'S3.S3', 'S3.CloudFront', 'S3.FileLists', 'S3.MultiPart'],
  s4cmd: ['optparse', 'multiprocessing', 'boto3'],
};

/** Starts a process that runs a program in Python faster. The long run does not use it. */
export async function forksOf(name: ProgramName): Promise<Forks | undefined> {
  const modules = modulesOf[name];
  if (modules === undefined || isLong) return undefined;
  return startForks(findProgram(name)!, modules, { PATH: programPath });
}

/**
 * A folder and the environment in which the recipes of docs/s3.md work.
 *
 * @param commands a folder with commands that replace those of the machine
 * @param atEnd calls a function at the end. Default: of the test
 */
export async function workplace(
  { url, accessKeyId, secretAccessKey }: Endpoint,
  commands?: string,
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Workplace> {
  needPrograms('bash');
  const folder = await mkdtemp(join(tmpdir(), 'cubby-s3-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: commands === undefined ? programPath : `${commands}:${programPath}`,
    HOME: folder,
    S3_URL: url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const start = (program: string, args: readonly string[], timeout = 150_000) =>
    new Promise<string>((resolve, reject) => {
      execFile(program, args, { cwd: folder, env, timeout, maxBuffer: 16_777_216 }, (error, stdout, stderr) =>
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
    run: (script, patienceMs) => start('bash', ['--norc', '-euo', 'pipefail', '-c', script], patienceMs),
    async follow(heading) {
      const { language, code } = await recipeUnder(heading);
      if (language === 'sh') return start('bash', ['--norc', '-euo', 'pipefail', '-c', code]);
      if (language === 'py') {
        needPrograms('python3');
        return start('python3', ['-c', code]);
      }
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
