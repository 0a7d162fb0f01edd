import { inBatches } from '../in-batches.ts';
import { edgeErrorsKeptMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'edgeErrors' | 'edgeLogs'>;
}

/** Removes counts of errors that are older than 400 days, and where logs were left that have not grown since; answers how many rows. */
export async function forgetEdgeErrors({ metadata }: Deps, now: number): Promise<number> {
  const keptSince = now - edgeErrorsKeptMs;
  return inBatches(
    { metadata },
    async (tx, limit) =>
      (await tx.edgeErrors.forgetBefore(keptSince, limit)) + (await tx.edgeLogs.forgetBefore(keptSince, limit)),
  );
}
