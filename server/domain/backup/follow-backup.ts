import type { DatabaseCopies } from './database-copies.ts';
import type { BackupReport } from './take-backup.ts';

/** A target that generations are added to, until something fails. */
interface FollowedBackup {
  take(): Promise<BackupReport>;
  close(): Promise<void>;
}

interface FollowOptions {
  readonly copies: Pick<DatabaseCopies, 'version'> | undefined;
  /** Opens the target: at first, and after each failure. */
  open(): Promise<FollowedBackup>;
  /** Resolves after `ms`, or when the signal is aborted. */
  sleep(ms: number): Promise<void>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  onGeneration(report: BackupReport): void;
  /** Called for a generation that failed. The next try begins anew. */
  onFailure(error: unknown): void;
}

/** A generation begins this long after the one before, or at once if that one took longer. */
export const followEveryMs = 30_000;

/**
 * Adds a generation whenever somebody has written to the database, until the signal is aborted. A failure ends nothing:
 * the target may be a disk that is away for a while.
 *
 * @throws the error of the first try, which is probably a wrong target
 */
export async function followBackup({
  copies,
  open,
  sleep,
  nowMs,
  signal,
  onGeneration,
  onFailure,
}: FollowOptions): Promise<void> {
  let opened: FollowedBackup | undefined = await open();
  let isFirst = true;
  let stored: number | undefined;
  try {
    while (!signal.aborted) {
      const startedAt = nowMs();
      try {
        opened ??= await open();
        // Read before the copy is made: what is written meanwhile belongs to the next generation.
        const version = copies?.version();
        if (version === undefined || version !== stored) {
          onGeneration(await opened.take());
          stored = version;
          isFirst = false;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isFirst) throw error;
        onFailure(error);
        await opened?.close().catch(() => {});
        opened = undefined;
      }
      await sleep(Math.max(0, followEveryMs - (nowMs() - startedAt)));
    }
  } finally {
    await opened?.close();
  }
}
