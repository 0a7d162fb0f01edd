import type { Writes } from '../ports/metadata.ts';
import type { EdgeErrorCount } from './edge-error.ts';
import type { LogCheckpoint } from './log-checkpoint.ts';

interface Deps {
  readonly metadata: Writes<'edgeErrors' | 'edgeLogs'>;
}

/**
 * Counts what stands in a log between two checkpoints and moves it on: both, or neither, so that a reader that is cut
 * off at any moment counts nothing twice and loses nothing. Answers where it is now; `undefined`, with nothing counted,
 * when somebody else has read on in it meanwhile.
 */
export function advanceLog(
  { metadata }: Deps,
  from: LogCheckpoint,
  to: Omit<LogCheckpoint, 'movedAt'>,
  counts: readonly EdgeErrorCount[],
): Promise<LogCheckpoint | undefined> {
  return metadata.atomically(async (tx) => {
    const moved = { ...to, movedAt: tx.now };
    if (!(await tx.edgeLogs.advance(from, moved))) return undefined;
    if (counts.length > 0) await tx.edgeErrors.add(from.appId, counts);
    return moved;
  });
}
