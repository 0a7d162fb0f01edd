import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { programPath } from '#test/support/programs.ts';
import { pythonFolder } from '#test/support/python-packages.ts';
import { blocksOf, type GuideBlock } from './guide-code.ts';

const root = join(import.meta.dirname, '../..');

/** The server and the key of a reader. */
export interface Reader {
  readonly api: string;
  readonly key: string;
}

/** What starts a program, by the language of its blocks. */
const starters = {
  sh: 'source program.sh',
  js: 'node program.mjs',
  py: 'python3 program.py',
  go: 'go run program.go',
  php: 'php program.php',
} as const;

/** A language of tabs. */
export type TabLanguage = keyof typeof starters;

/** A folder with the files of a guide. */
export interface Followed {
  readonly folder: string;
  /** Runs the guide's commands, without those that keep running, and returns their output. */
  commands(): Promise<string>;
  /** Runs all tabs of a language as one program, after the variables that the guide sets. Returns its output. */
  program(language: TabLanguage): Promise<string>;
  /**
   * Starts a command that keeps running, and returns the address that it prints, and what it prints later.
   *
   * @param command default: that of the guide
   */
  start(command?: string): Promise<{ readonly address: string; readonly printed: () => string }>;
}

/** Writes the files of a guide, as its reader would, with the reader's address and key. */
export async function followGuide(
  { api, key }: Reader,
  guide: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  addresses: Readonly<Record<string, string>> = {},
): Promise<Followed> {
  needPrograms('bash', 'curl');
  await mkdir(join(root, 'dist'), { recursive: true });
  // Within the repository, so that its packages are found.
  const folder = await mkdtemp(join(root, 'dist/guide-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const own = (text: string) =>
    Object.entries({ ...addresses, 'http://localhost:7400': api, YOUR_KEY: key }).reduce(
      (changed, [example, real]) => changed.replaceAll(example, real),
      text,
    );
  const blocks = blocksOf(guide).map((block) => ({ ...block, code: own(block.code) }));
  for (const { file, code } of blocks) if (file !== undefined) await writeFile(join(folder, file), code);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const port = await freePort();
  const env = {
    PATH: `${dirname(process.execPath)}:${programPath}`,
    HOME: folder,
    PORT: String(port),
    AWS_EC2_METADATA_DISABLED: 'true',
    CUBBY_KEY: key,
    PYTHONPATH: pythonFolder,
    GO111MODULE: 'off',
    GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache/go-build'),
  };
  const codeOf = (wanted: (block: GuideBlock) => boolean) =>
    blocks
      .filter(wanted)
      .map(({ code }) => code)
      .join('\n');
  const script = (wanted: (block: GuideBlock) => boolean) =>
    codeOf((block) => block.language === 'sh' && block.file === undefined && wanted(block));
  const variables = script(({ code }) => code.startsWith('export '));
  const run = (text: string, timeout = 120_000) =>
    new Promise<string>((resolve, reject) => {
      execFile(
        'bash',
        ['--norc', '-euo', 'pipefail', '-c', text],
        { cwd: folder, env, timeout },
        (error, stdout, stderr) =>
          error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
      );
    });
  return {
    folder,
    commands: () => run(script(({ keepsRunning }) => !keepsRunning)),
    async program(language) {
      const starter = starters[language];
      const code = codeOf((block) => block.isTab && block.language === language && block.file === undefined);
      await writeFile(join(folder, starter.split(' ').at(-1)!), code);
      // Compiling takes a while where Go's cache is empty.
      return run(`${variables}\n${starter}`, language === 'go' ? 300_000 : undefined);
    },
    async start(command = script(({ keepsRunning }) => keepsRunning)) {
      const child = spawn('bash', ['--norc', '-c', `${variables}\nexec ${command}`], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(async () => {
        if (child.exitCode === null && child.kill()) await once(child, 'exit');
      });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
      await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/http:\/\/\S+/);
      return { address: /http:\/\/[^\s)]+/.exec(printed)![0], printed: () => printed };
    },
  };
}
