import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { noProgram } from '#test/support/programs.ts';

/** The reason why tests that trace a process cannot run on this machine, or `undefined` if they can. */
export const noStrace: string | undefined = noProgram('strace');

/** Returns a command that runs another one and writes its system calls to a file, with the paths of its descriptors. */
export function tracing(calls: readonly string[], file: string): readonly string[] {
  return [
    'strace',
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-y',
    '-s',
    '64',
    '-e',
    `trace=${calls.join(',')}`,
    '-e',
    'signal=none',
    '-o',
    file,
  ];
}

/** One system call. `begin` and `end` are lines of the trace, so they order the calls of several threads. */
export interface Call {
  readonly name: string;
  /** The arguments as strace prints them: `23</tmp/cubby.db-wal>, "…"`. */
  readonly args: string;
  readonly result: number;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Returns the finished calls, in the order in which they began. */
export function readTrace(file: string): Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<string, { name: string; args: string; beganAt: number }>();
  for (const [line, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    const [, pid, rest] = /^(\d+)\s+(.*)$/.exec(text) ?? [];
    if (pid === undefined || rest === undefined) continue;
    const begun = /^(\w+)\((.*?)(?:,? )?<unfinished \.\.\.>$/.exec(rest);
    if (begun) {
      unfinished.set(pid, { name: begun[1]!, args: begun[2]!, beganAt: line });
      continue;
    }
    const [, resumed, whole, args = '', result] =
      /^(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)\)\s+= (-?\d+)/.exec(rest) ?? [];
    if (result === undefined) continue;
    const start = resumed === undefined ? undefined : unfinished.get(pid);
    if (start) calls.push({ ...start, args: start.args + args, result: Number(result), endedAt: line });
    else if (whole !== undefined)
      calls.push({ name: whole, args, result: Number(result), beganAt: line, endedAt: line });
  }
  return calls.toSorted((a, b) => a.beganAt - b.beganAt);
}

/** Makes system calls of a running process fail until `end()`, as a broken disk does. */
export interface Sabotage {
  /** Resolves with the number of calls that have failed. */
  end(): Promise<number>;
}

/** Returns a command that runs another one and makes its system calls fail. See `sabotage()` for the arguments. */
export function injecting(call: string, paths: readonly string[], file: string): readonly string[] {
  return ['strace', '-f', '-qq', ...injection(call, paths, file)];
}

/** Returns the number of calls that have failed by the output of strace. */
export function readInjected(file: string): number {
  return readFileSync(file, 'utf8').split('(INJECTED)').length - 1;
}

function injection(call: string, paths: readonly string[], file: string): string[] {
  const [name] = call.split(':');
  const filter = paths.flatMap((path) => ['-P', path]);
  return ['-e', `trace=${name}`, '-e', 'signal=none', '-e', `inject=${call}`, ...filter, '-o', file];
}

/**
 * @param call the call and its error: `pwrite64:error=ENOSPC`
 * @param paths only calls on exactly these
 */
export async function sabotage(pid: number, call: string, paths: readonly string[]): Promise<Sabotage> {
  const folder = mkdtempSync(join(tmpdir(), 'cubby-injected-'));
  const file = join(folder, 'trace');
  const args = ['-f', '-p', String(pid), ...injection(call, paths, file)];
  const child = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/attached/.test(said)) resolve();
    });
    child.once('exit', () => reject(new Error(`strace has ended: ${said}`)));
    child.once('error', reject);
  });
  return {
    async end() {
      child.kill('SIGINT'); // it detaches from the process, which continues
      await gone;
      const failed = readInjected(file);
      rmSync(folder, { recursive: true });
      return failed;
    },
  };
}
