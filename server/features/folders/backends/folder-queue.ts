import { SetSize } from '#server/domain/set-size.ts';
import { nextTurn } from '#server/event-loop.ts';
import type { FolderJob } from '../folder-job.ts';
import { releaseFolderJob, runFolderStep, takeFolderJob, type FolderJobDeps } from '../run-folder-job.ts';
import { outbox, type Outbox } from '#server/jobs/outbox.ts';

interface FolderQueueOptions extends FolderJobDeps {
  onFault(error: unknown): void;
}

/** Jobs that are looked at together. */
const atOnce = 20;

/** The time of a job before it is the turn of the next one. */
const turnMs = 500;

/** Works on the jobs over folders, one at a time. Its stop ends after the step under way. */
export function folderQueue(options: FolderQueueOptions): Outbox {
  const { metadata, clock, onFault } = options;

  async function take(): Promise<readonly FolderJob[]> {
    for (const found of await metadata.read.folderJobs.due(clock.now(), atOnce)) {
      const job = await takeFolderJob(options, found);
      if (job) return [job];
    }
    return [];
  }

  async function turnOf(taken: FolderJob, signal: AbortSignal): Promise<void> {
    let job: FolderJob | undefined = taken;
    const since = performance.now();
    const sizes = new SetSize();
    while (job && job.dueAt !== null && !signal.aborted && performance.now() - since < turnMs) {
      job = await runFolderStep(options, job, sizes);
      await nextTurn();
    }
    if (job && job.dueAt !== null) await releaseFolderJob(options, job);
  }

  return outbox<FolderJob>({
    ...{ mostAtOnce: 1, delayMs: 2, pollMs: 500, stopTimeoutMs: 0, onFault },
    // They take turns by the time when they are due, not by a key.
    due: async (behind) => (behind === '' ? [{ key: 'jobs', most: 1, take }] : []),
    attempt: turnOf,
  });
}
