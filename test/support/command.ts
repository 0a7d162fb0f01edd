import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Why tests with this command cannot run on this machine; `undefined` when they can. On Debian as root nothing hinders
 * its installation: there the test runs, and fails.
 */
export function noCommand(name: string, debianPackage: string = name): string | undefined {
  const isThere = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  return isThere || canInstall ? undefined : `there is no ${name} (Debian: apt-get install ${debianPackage})`;
}

/**
 * What our own programs find in their environment: nothing of the test's own but the path, and where Node keeps what it
 * has compiled, so that of a hundred processes only the first few compile the server.
 */
export const programEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
};

/** A command that has ended. */
export interface Ended {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a command in a folder; `killWhen` is asked every few milliseconds, and the command ended with `signal`. */
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
