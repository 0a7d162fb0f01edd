import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { programEnv } from '#test/support/command.ts';

const root = join(import.meta.dirname, '../..');

/** The exit and the output of a program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server as `npm start` runs it. */
export interface StartedServer {
  /** The address of its API. */
  readonly api: string;
  /** The id of its process. */
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Sends SIGTERM by default. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface ProgramOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The id of the user that runs the program. */
  readonly uid?: number;
}

function start(entry: string, args: readonly string[], { dataDir, env = {}, uid }: ProgramOptions) {
  const doors = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
  );
  // Another user cannot write into our folder of compiled code. `env` may name a different folder.
  const base = uid === undefined ? programEnv : { PATH: process.env.PATH };
  const child = spawn(process.execPath, [join(root, entry), ...args], {
    env: { ...base, CUBBY_DATA_DIR: dataDir, CUBBY_LOG: 'warn', CUBBY_MIN_FREE_BYTES: '4MiB', ...doors, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended.catch(() => {});
  });
  return { child, said, ended };
}

/** Runs `server/main.js` and expects it to end by itself. */
export function failToStart(options: ProgramOptions): Promise<Ended> {
  return start('server/main.js', [], options).ended;
}

/** Runs an operator's command to its end. */
export function runCubby(args: readonly string[], options: ProgramOptions): Promise<Ended> {
  return start('server/cli/main.js', args, options).ended;
}

/** Starts `server/main.js` and resolves when it serves requests. */
export async function startProgram(options: ProgramOptions): Promise<StartedServer> {
  const { child, said, ended } = start('server/main.js', [], options);
  const address = () => /"(http:\/\/localhost:\d+)\/v1|API (http:\/\/localhost:\d+),/.exec(said.stdout);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => address() && resolve());
    void ended.then(({ code, stderr }) => reject(new Error(`The server has ended (${code}).\n${stderr}`)), reject);
  });
  const [, first, later] = address()!;
  return {
    api: (first ?? later)!,
    pid: child.pid!,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Makes a folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
