import { crc32 } from 'node:zlib';

import { suffixOfForeignKey } from '#server/features/files/key.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import type { TestStores } from '#test/support/stores.ts';

/** Writes the row of a small file, with its content and the account's counters, as an upload would. */
export async function store(
  stores: Pick<TestStores, 'metadata' | 'ids'>,
  object: Pick<StoredObject, 'accountId' | 'key'> & Partial<StoredObject>,
): Promise<StoredObject> {
  return (await storeAll(stores, [object]))[0]!;
}

/** Writes several files in one transaction. */
export function storeAll(
  stores: Pick<TestStores, 'metadata' | 'ids'>,
  objects: ReadonlyArray<Pick<StoredObject, 'accountId' | 'key'> & Partial<StoredObject>>,
): Promise<StoredObject[]> {
  return stores.metadata.atomically(async (tx) => {
    const stored: StoredObject[] = [];
    for (const object of objects) {
      const contentId = stores.ids.opaqueId();
      const row: StoredObject = {
        space: 'public',
        contentId,
        sizeBytes: 3,
        etag: 'd41d8cd98f00b204e9800998ecf8427e',
        sha256: null,
        createdAt: tx.now,
        expiresAt: null,
        cacheControl: null,
        disposition: null,
        originalName: null,
        metadata: {},
        clientProperties: null,
        suffix: suffixOfForeignKey(object.key),
        generation: stores.ids.opaqueId(),
        versionId: stores.ids.orderedId(tx.now),
        ...object,
      };
      await tx.contents.add({
        id: contentId,
        sizeBytes: 3,
        crc32: crc32('abc'),
        blobs: [{ blobId: stores.ids.opaqueId(), sizeBytes: 3, inline: Buffer.from('abc') }],
      });
      await tx.objects.put(row);
      await tx.accounts.addUsage(row.accountId, { bytes: row.sizeBytes, objects: 1 });
      stored.push(row);
    }
    return stored;
  });
}
