import { hash } from 'node:crypto';

import type { Writes } from '#server/domain/ports/metadata.ts';
import type { LogCheckpoint, NewLogCheckpoint } from './log-checkpoint.ts';

interface Deps {
  readonly metadata: Writes<'edgeLogs'>;
}

/**
 * Adds a checkpoint at the beginning of a log that was never read. Parallel calls for the same file get the same
 * checkpoint.
 *
 * @param seen all checkpoints of the application as the caller read them, without one of this log
 * @returns undefined when another reader has since added a checkpoint, or moved one that may be of this log. The caller
 *   then reads the checkpoints again
 */
export function beginLog(
  { metadata }: Deps,
  log: Pick<NewLogCheckpoint, 'appId' | 'path' | 'inode'>,
  seen: readonly LogCheckpoint[],
): Promise<LogCheckpoint | undefined> {
  const offsets = new Map(seen.map(({ id, offset }) => [id, offset]));
  return metadata.atomically(async (tx) => {
    const current = await tx.edgeLogs.listOf(log.appId);
    // Other readers may move the checkpoints of other logs. One at offset 0 may be of this log, because it had no bytes
    // to compare.
    const isNews = ({ id, inode, offset }: LogCheckpoint) =>
      !offsets.has(id) || (offsets.get(id) !== offset && (inode === log.inode || offsets.get(id) === 0));
    if (current.some(isNews)) return undefined;
    const begun = current.find(({ inode, offset }) => inode === log.inode && offset === 0);
    const nothing = hash('sha256', '', 'hex');
    return (
      begun ??
      tx.edgeLogs.add({ ...log, offset: 0, lines: 0, headSha256: nothing, tailSha256: nothing, movedAt: tx.now })
    );
  });
}
