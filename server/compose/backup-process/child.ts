import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { standardKeep } from '#server/domain/backup/generation.ts';
import { backupErrorMessage, type NotedRun } from '#server/domain/backup/note-run.ts';
import type { BackupStep } from '#server/domain/backup/target.ts';
import { openLog } from '../../log.ts';
import { openBackupSession, type BackupReport } from '../../stores/open-backup.ts';
import { explained, openStores } from '../../stores/open.ts';
import type { FromBackup, ToBackup } from './messages.ts';

/** How often the server hears of the progress. */
const tellEveryMs = 500;

/** Takes the backup that the server asks for, tells it how that goes, and ends the process. */
export async function takeOneBackup(): Promise<void> {
  const stopping = new AbortController();
  const begun = Promise.withResolvers<Extract<ToBackup, { readonly type: 'take' }>>();
  process.on('message', (message: ToBackup) => {
    if (message.type === 'take') begun.resolve(message);
    else stopping.abort();
  });
  // The server has ended.
  process.on('disconnect', () => stopping.abort());
  // A signal to all processes of the server is the server's to handle.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => {});
  const { config, place } = await begun.promise;
  const progress = new Progress();
  const ended = await take(config, place, progress, stopping.signal).catch((error: unknown): FromBackup => ({
    type: 'failed',
    text: backupErrorMessage(error),
  }));
  progress.end();
  tell(ended, () => process.exit());
}

async function take(config: Config, place: BackupPlace, progress: Progress, signal: AbortSignal): Promise<FromBackup> {
  const stores = await openStores(config, openLog(config.logLevel), {});
  // The server notes the run. It also knows of an end without a message.
  const run: NotedRun = { onStep() {}, async end() {} };
  const onStep = (step: BackupStep) => progress.note(step);
  const options = { keep: standardKeep, isNew: false, withMasterKey: false, signal, onStep, run };
  try {
    const session = await openBackupSession({ config, stores, place, ...options });
    try {
      return done(await session.take());
    } finally {
      await session.close();
    }
  } catch (error) {
    throw explained(config, error);
  } finally {
    await stores.close();
  }
}

function done({ generation, sent: { count, bytes }, damaged }: BackupReport): FromBackup {
  return { type: 'done', generation, sent: { count, bytes }, damaged: damaged.length };
}

/** Tells each new step at once, and its progress from time to time. */
class Progress {
  #untold: BackupStep | undefined;
  #doing = '';
  readonly #timer = setInterval(() => this.#tell(), tellEveryMs);

  note(step: BackupStep): void {
    this.#untold = step;
    if (step.doing !== this.#doing) this.#tell();
    this.#doing = step.doing;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#tell();
  }

  #tell(): void {
    if (this.#untold) tell({ type: 'step', step: this.#untold });
    this.#untold = undefined;
  }
}

function tell(message: FromBackup, then: () => void = () => {}): void {
  // Without the server there is nobody to tell.
  if (process.connected) process.send!(message, then);
  else then();
}
