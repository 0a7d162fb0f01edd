import { dayMs } from '#server/domain/day.ts';
import { forgetting } from '#server/domain/forgetting.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { NumberRange } from './table.ts';

/** How long errors of the edge are stored: 400 days. */
export const edgeErrorsKeptMs = 400 * dayMs;

/** Counts are kept by the day, and each run goes through all applications and paths. */
export const forgetEveryMs = dayMs;

/** Applications or paths in one transaction. There are as many as accounts, and few have old counts. */
const rangeRows = 200;

/**
 * Removes counts of errors that are older than 400 days, paths that then have none, and checkpoints of logs that have
 * not grown since then.
 */
export async function forgetEdgeErrors(
  deps: { readonly metadata: Metadata<'edgeErrors' | 'edgeLogs'> },
  now: number,
): Promise<number> {
  const { metadata } = deps;
  const before = now - edgeErrorsKeptMs;
  let forgotten = 0;
  for await (const apps of rangesOf((after) => metadata.read.edgeErrors.nextApps(after, rangeRows)))
    forgotten += await forgetting<'edgeErrors'>((tx, _now, limit) => tx.edgeErrors.forgetBefore(before, apps, limit))(
      deps,
      now,
    );
  for await (const paths of rangesOf((after) => metadata.read.edgeErrors.nextPaths(after, rangeRows)))
    forgotten += await metadata.atomically((tx) => tx.edgeErrors.forgetUnusedPaths(paths));
  return forgotten + (await forgetEdgeLogs(deps, now));
}

const forgetEdgeLogs = forgetting<'edgeLogs'>((tx, now, limit) =>
  tx.edgeLogs.forgetBefore(now - edgeErrorsKeptMs, limit),
);

async function* rangesOf(next: (after: number) => Promise<NumberRange | undefined>): AsyncGenerator<NumberRange> {
  for (let range = await next(0); range; range = await next(range.until)) yield range;
}
