import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import type { OnBackupStep } from '#server/domain/backup/target.ts';
import type { FromBackup, ToBackup } from './messages.ts';

/** A process that was told to stop is killed after this time. What it has copied is kept. */
const stoppedWithinMs = 10_000;

interface BackupWork {
  readonly config: Config;
  readonly place: BackupPlace;
  /** Stops the backup. */
  readonly signal: AbortSignal;
  readonly onStep: OnBackupStep;
}

/** What a backup has sent. */
type BackupEnd = Extract<FromBackup, { readonly type: 'done' }>;

/**
 * Takes one generation in a process of its own, because a backup sorts and hashes what it copies: with millions of
 * files it would block the event loop of a server. Resolves or rejects once the process has ended.
 *
 * @throws {Error} with a text for the operator
 */
export async function runBackupProcess({ config, place, signal, onStep }: BackupWork): Promise<BackupEnd> {
  const child = fork(join(import.meta.dirname, 'main.js'), { serialization: 'advanced' });
  let last: Exclude<FromBackup, { readonly type: 'step' }> | undefined;
  child.on('message', (message: FromBackup) => {
    if (message.type === 'step') onStep(message.step);
    else last = message;
  });
  const send = (message: ToBackup) => {
    // The callback takes the error of a process that has just ended.
    if (child.connected) child.send(message, () => {});
  };
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    send({ type: 'stop' });
    timer = setTimeout(() => child.kill('SIGKILL'), stoppedWithinMs);
  };
  signal.addEventListener('abort', stop);
  try {
    const ended = once(child, 'exit');
    send({ type: 'take', config, place });
    if (signal.aborted) stop();
    const [code, killedBy] = await ended;
    if (last?.type === 'done') return last;
    throw new Error(last?.text ?? `The process of the backup ended without a result (${killedBy ?? code}).`);
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  }
}
