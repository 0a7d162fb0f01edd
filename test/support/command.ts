import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * The environment of our own programs. It holds only the path, and the folder where Node keeps compiled code, so that
 * only the first few of a hundred processes compile the server.
 */
export const programEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
};

/** A command that has ended. */
export interface Ended {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a command in a folder. Calls `killWhen` every 2 ms and sends `signal` once it returns true. */
export function run(
  name: string,
  args: readonly string[],
  cwd: string,
  killWhen?: () => boolean,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const timer =
      killWhen &&
      setInterval(() => {
        if (!killWhen()) return;
        child.kill(signal);
        clearInterval(timer);
      }, 2);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (exitCode) => {
      clearInterval(timer);
      resolve({ exitCode, output });
    });
  });
}
