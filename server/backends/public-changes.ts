import type { StoredObject } from '#server/domain/objects/object.ts';
import type { ObjectsTable } from '#server/domain/objects/table.ts';
import { overlaid, overTransactions } from '#server/domain/ports/decorated.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

/**
 * The same metadata store, which also tells what the public host has stopped serving as it was: files that are gone,
 * have another address, other bytes or other headers. Told after the commit, so whoever asks the public host again gets
 * the new state. It stands here, and not in the use cases, so that none can forget it.
 */
export function tellingPublicChanges(
  metadata: Metadata,
  onChanged: (files: readonly StoredObject[]) => void,
): Metadata {
  return overTransactions(metadata, (tx, options) => {
    if (options?.isCdnTold) return tx;
    const changed: StoredObject[] = [];
    tx.afterCommit(() => {
      if (changed.length > 0) onChanged(changed);
    });
    return overlaid(tx, { objects: telling(tx.objects, changed) });
  });
}

function telling(objects: ObjectsTable, changed: StoredObject[]): ObjectsTable {
  return overlaid(objects, {
    async put(object) {
      if (object.space !== 'private') {
        // A public file goes before the legacy file of its key, so either is replaced under their address.
        const before =
          (await objects.find({ ...object, space: 'public' })) ?? (await objects.find({ ...object, space: 'legacy' }));
        if (before) changed.push(before);
      }
      await objects.put(object);
    },
    async remove(address) {
      const removed = await objects.remove(address);
      if (removed && removed.space !== 'private') changed.push(removed);
      return removed;
    },
  });
}
