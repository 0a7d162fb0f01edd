import { nextTurn } from '#server/event-loop.ts';
import type { FolderJob } from '#server/domain/folders/folder-job.ts';
import {
  releaseFolderJob,
  runFolderStep,
  takeFolderJob,
  type FolderJobDeps,
} from '#server/domain/folders/run-folder-job.ts';

/** Works on the jobs over folders. Any number of processes may do so at once. */
export interface FolderQueue {
  /** Looks soon for what is due. */
  nudge(): void;
  /** Ends after the step under way. Another process or the next start goes on. */
  stop(): Promise<void>;
}

interface FolderQueueOptions extends FolderJobDeps {
  onFault(error: unknown): void;
  /** How often it looks for what is due, also from other processes. */
  readonly pollMs?: number;
}

/** Jobs that are looked at together. */
const atOnce = 20;

/** The time of a job before it is the turn of the next one. */
const turnMs = 500;

export function folderQueue(options: FolderQueueOptions): FolderQueue {
  const { metadata, clock, onFault, pollMs = 500 } = options;
  let working: Promise<void> | undefined;
  let isStopped = false;

  async function work(): Promise<void> {
    for (let hasMore = true; hasMore && !isStopped;) {
      const due = await metadata.read.folderJobs.due(clock.now(), atOnce);
      for (const job of due) if (!isStopped) await turnOf(job);
      hasMore = due.length > 0;
    }
  }

  async function turnOf(found: FolderJob): Promise<void> {
    let job = await takeFolderJob(options, found);
    const since = performance.now();
    while (job && job.dueAt !== null && !isStopped && performance.now() - since < turnMs) {
      job = await runFolderStep(options, job);
      await nextTurn();
    }
    if (job && job.dueAt !== null) await releaseFolderJob(options, job);
  }

  function nudge(): void {
    if (isStopped) return;
    working ??= work()
      .catch(onFault)
      .finally(() => (working = undefined));
  }

  const poll = setInterval(nudge, pollMs).unref();
  return {
    nudge,
    async stop() {
      isStopped = true;
      clearInterval(poll);
      await working;
    },
  };
}
