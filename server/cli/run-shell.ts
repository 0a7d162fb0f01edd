import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a command of the operator in a shell. Resolves with its exit code, or null if a signal ended it. */
export async function runShell(command: string): Promise<number | null> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [code: number | null];
  return code;
}
