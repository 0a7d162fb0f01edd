import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { encryptionSettings } from '#test/support/chosen-store.ts';
import { programEnv } from '#test/support/command.ts';

const entry = join(import.meta.dirname, '../../../server/cli/main.js');

/** Runs a command of the operator and kills it with SIGKILL after a while. Returns whether it was killed in time. */
export function killedCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  afterMs: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...programEnv, ...encryptionSettings, ...env },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  return new Promise((resolve) =>
    child.once('close', (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    }),
  );
}
