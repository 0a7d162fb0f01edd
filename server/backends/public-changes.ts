import type { StoredObject } from '#server/domain/objects/object.ts';
import type { ObjectsTable } from '#server/domain/objects/table.ts';
import { overlaid, overTransactions } from '#server/domain/ports/decorated.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

/**
 * Returns the same store, which calls `onChanged` with the previous version of each public file that changed: removed,
 * moved, or with other bytes or headers. The call comes after the commit, so the next request to the public host gets
 * the new state. It is done here so that no use case can forget it.
 */
export function reportingPublicChanges(
  metadata: Metadata,
  onChanged: (files: readonly StoredObject[]) => void,
): Metadata {
  return overTransactions(metadata, (tx, options) => {
    if (options?.isPurgedByCaller) return tx;
    const changed: StoredObject[] = [];
    tx.afterCommit(() => {
      if (changed.length > 0) onChanged(changed);
    });
    return overlaid(tx, { objects: reporting(tx.objects, changed) });
  });
}

function reporting(objects: ObjectsTable, changed: StoredObject[]): ObjectsTable {
  return overlaid(objects, {
    async put(object, former) {
      if (object.space !== 'private') {
        // A public file hides the legacy file of its key, so the address served either of them.
        const before =
          (await objects.find({ ...object, space: 'public' })) ?? (await objects.find({ ...object, space: 'legacy' }));
        if (before) changed.push(before);
      }
      await objects.put(object, former);
    },
    async remove(address) {
      const removed = await objects.remove(address);
      if (removed && removed.space !== 'private') changed.push(removed);
      return removed;
    },
  });
}
