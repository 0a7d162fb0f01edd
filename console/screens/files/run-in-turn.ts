import type { BatchProgress, BatchResult, Running } from './batch.ts';

/** Runs parts of a change one after another. Their progress and their results are added up. */
export async function runInTurn(
  { onProgress, signal }: Running,
  parts: ReadonlyArray<(own: Running) => Promise<BatchResult>>,
): Promise<BatchResult> {
  const results: BatchResult[] = [];
  const add = ({ done, total, ...waiting }: BatchProgress) => {
    const before = results.reduce((sum, one) => sum + one.done + one.failures.length, 0);
    onProgress({ done: before + done, total: before + Math.max(total, 1), ...waiting });
  };
  for (const [at, part] of parts.entries()) {
    if (at > 0 && signal.aborted) break;
    results.push(await part({ onProgress: add, signal }));
  }
  return {
    done: results.reduce((sum, { done }) => sum + done, 0),
    failures: results.flatMap(({ failures }) => failures),
    isCancelled: signal.aborted,
  };
}
