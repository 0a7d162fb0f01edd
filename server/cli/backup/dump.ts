import { spawn } from 'node:child_process';

import { Failure } from '../operator.ts';

/** Runs the operator's command that copies the database. @throws {Failure} if it fails */
export async function runDump(command: string): Promise<void> {
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Failure(`The command of --dump ended with code ${code}. There is no new generation without it.`);
}
