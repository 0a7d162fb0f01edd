import type { ObjectsTable } from '#server/domain/objects/table.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
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
  return {
    read: metadata.read,
    async atomically(work, options) {
      let changed: StoredObject[] = [];
      const result = await metadata.atomically((tx) => {
        // The store may undo the work and run it again.
        changed = [];
        return work({ ...tx, objects: telling(tx.objects, changed) });
      }, options);
      if (changed.length > 0 && !options?.isCdnTold) onChanged(changed);
      return result;
    },
  };
}

function telling(objects: ObjectsTable, changed: StoredObject[]): ObjectsTable {
  return {
    find: (address) => objects.find(address),
    scan: (scan) => objects.scan(scan),
    scanByAge: (scan) => objects.scanByAge(scan),
    expired: (now, limit) => objects.expired(now, limit),
    unhashed: (after, limit) => objects.unhashed(after, limit),
    // Nothing of it is served.
    setSha256: (contentId, sha256) => objects.setSha256(contentId, sha256),
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
  };
}
