import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { runCli } from '#server/cli/program.ts';
import { encryptionSettings, settingsOfOpened } from '#test/support/chosen-store.ts';
import { programEnv } from '#test/support/command.ts';

const entry = join(import.meta.dirname, '../../server/cli/main.js');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The operator's command line over one data folder. */
export interface Cubby {
  readonly dataDir: string;
  (...args: readonly string[]): Promise<Outcome>;
  /** Runs a command that must succeed with `--json`: its stdout is one JSON value and its stderr empty. */
  json(...args: readonly string[]): Promise<any>;
}

/**
 * Runs each command as a process of its own, over the stores of the folder's server, if there was one.
 *
 * @param env variables besides the data folder. Nothing else of the test's own environment is passed on
 * @param program the command line of another version
 */
export function cubbyOver(dataDir: string, env: Readonly<Record<string, string>> = {}, program = entry): Cubby {
  return cubbyThat(async (args) => spawnCubby([program, ...args], await environmentOf(dataDir, env)), dataDir);
}

/** Runs the same commands in this process, three times as fast. Meant for tables of cases. */
export function cubbyHere(dataDir: string, env: Readonly<Record<string, string>> = {}): Cubby {
  return cubbyThat(async (args) => {
    const read = { stdout: '', stderr: '' };
    const code = await runCli(args, await environmentOf(dataDir, env), {
      out: (text) => (read.stdout += text),
      err: (text) => (read.stderr += text),
    });
    return { code, ...read };
  }, dataDir);
}

async function environmentOf(dataDir: string, env: Readonly<Record<string, string>>) {
  return { CUBBY_DATA_DIR: dataDir, ...encryptionSettings, ...(await settingsOfOpened(dataDir)), ...env };
}

function cubbyThat(run: (args: readonly string[]) => Promise<Outcome>, dataDir: string): Cubby {
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect({ code, stderr }, `cubby ${args.join(' ')}`).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  return Object.assign((...args: readonly string[]) => run(args), { dataDir, json });
}

/**
 * Makes an empty data folder, which is removed when the test ends.
 *
 * @param whenFinished `onTestFinished` of the test's context, for tests that run at the same time
 */
export async function temporaryFolder(whenFinished: typeof onTestFinished = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-cli-'));
  whenFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function spawnCubby(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      env: { ...programEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (read.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (read.stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...read }));
  });
}
