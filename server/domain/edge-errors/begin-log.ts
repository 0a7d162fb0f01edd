import { createHash } from 'node:crypto';

import type { Writes } from '../ports/metadata.ts';
import type { LogCheckpoint, NewLogCheckpoint } from './log-checkpoint.ts';

interface Deps {
  readonly metadata: Writes<'edgeLogs'>;
}

/**
 * Takes up a log that was never read before, at its beginning. Who asks for the same file at the same time gets the
 * same checkpoint.
 *
 * @param seen all checkpoints of the application, among which the log was not
 * @returns `undefined` when somebody has taken up a log since, or has moved on in one that may be this: look again
 */
export function beginLog(
  { metadata }: Deps,
  log: Pick<NewLogCheckpoint, 'appId' | 'path' | 'inode'>,
  seen: readonly LogCheckpoint[],
): Promise<LogCheckpoint | undefined> {
  const offsets = new Map(seen.map(({ id, offset }) => [id, offset]));
  return metadata.atomically(async (tx) => {
    const current = await tx.edgeLogs.listOf(log.appId);
    // Others may go on in logs of their own as they like. One that stood at 0 had no bytes to be known by.
    const isNews = ({ id, inode, offset }: LogCheckpoint) =>
      !offsets.has(id) || (offsets.get(id) !== offset && (inode === log.inode || offsets.get(id) === 0));
    if (current.some(isNews)) return undefined;
    const begun = current.find(({ inode, offset }) => inode === log.inode && offset === 0);
    const nothing = createHash('sha256').digest('hex');
    return (
      begun ??
      tx.edgeLogs.add({ ...log, offset: 0, lines: 0, headSha256: nothing, tailSha256: nothing, movedAt: tx.now })
    );
  });
}
