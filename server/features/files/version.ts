import type { Ids } from '#server/domain/ports/ids.ts';
import type { StoredObject } from './object.ts';

/** How far an id may be ahead of the clock, to sort behind the one before. Milliseconds. */
const mostAheadMs = 100;

/**
 * Returns the id of a new version. It sorts behind that of the file that it replaces, even if both were written in the
 * same millisecond.
 */
export function newVersionId(
  ids: Pick<Ids, 'orderedId'>,
  before: Pick<StoredObject, 'versionId'> | undefined,
  now: number,
): string {
  for (let at = now; ; at++) {
    const id = ids.orderedId(at);
    // A clock that was put back cannot make ids that sort behind.
    if (before === undefined || id > before.versionId || at === now + mostAheadMs) return id;
  }
}
