import { abortFolderJob, getFolderJob, startFolderJob } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { keyOf } from '../../files/object-id.ts';
import type { BatchResult, Running } from './batch.ts';

const pollMs = 700;

type JobBody = Parameters<typeof startFolderJob>[0]['body'];

/**
 * Runs a job over a folder, and follows it to its end. A cancelled change cancels it.
 *
 * @param name of the folder, for a failure of the job itself
 * @param onStarted called with the id of the job
 */
export async function followJob(
  body: JobBody,
  name: string,
  { onProgress, signal }: Running,
  onStarted?: (id: string) => void,
): Promise<BatchResult> {
  try {
    const { id } = await ask(startFolderJob({ body }));
    onStarted?.(id);
    for (;;) {
      if (signal.aborted) await send(abortFolderJob({ path: { id } }));
      const job = await ask(getFolderJob({ path: { id } }));
      onProgress({ done: job.done + job.failed, total: job.total });
      if (job.ended_at !== null)
        return {
          done: job.done,
          failures: job.failures.map((failed) => ({ name: keyOf(failed.id), code: failed.code })),
          isCancelled: signal.aborted,
        };
      await rest(signal);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { done: 0, failures: [{ name, code: error.code }], isCancelled: false };
  }
}

/** Waits until the job is looked at again. */
function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
