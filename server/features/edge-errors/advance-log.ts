import type { Writes } from '#server/domain/ports/metadata.ts';
import type { EdgeErrorCount } from './edge-error.ts';
import type { LogCheckpoint } from './log-checkpoint.ts';

interface Deps {
  readonly metadata: Writes<'edgeErrors' | 'edgeLogs'>;
}

/**
 * Stores the counts of a log between two checkpoints and moves the checkpoint, in one transaction. A reader that is
 * killed at any moment therefore counts nothing twice and loses nothing.
 *
 * @returns the new checkpoint; undefined, with nothing stored, when another reader has moved it meanwhile
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
