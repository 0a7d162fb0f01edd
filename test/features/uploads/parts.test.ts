import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { allParts, blobOf } from '#server/features/uploads/parts.ts';
import { BlobMissing } from '#server/domain/ports/blobs.ts';
import { openTestStores } from '#test/support/stores.ts';
import { Uploads } from './uploads.ts';

async function opened() {
  const stores = await openTestStores();
  const uploads = new Uploads(stores, await stores.account({ plan: 'enterprise' }));
  const handle = await uploads.start();
  return { uploads, handle, id: handle.split('.')[0]!, read: stores.metadata.read.chunkedUploads };
}

describe('allParts()', () => {
  it.each([0, 1, 999, 1000, 1001, 2048])('reads %i parts in the order of their numbers, each once', async (count) => {
    const { uploads, handle, id, read } = await opened();
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    await uploads.fake(handle, numbers.toReversed(), 1000);
    expect((await allParts(read, id)).map(({ part }) => part)).toEqual(numbers);
  });
});

describe('blobOf()', () => {
  it('reads the bytes of a part from its row, and throws BlobMissing when another part has replaced it', async () => {
    const { uploads, handle, id, read } = await opened();
    await uploads.put(handle, 1, Buffer.from('one'));
    await uploads.put(handle, 2, Buffer.from('two'));
    const [one, two] = await allParts(read, id);
    expect([one!.blob.isInline, two!.blob.isInline]).toEqual([true, false]);
    expect(Buffer.from((await blobOf(read, id, one!)).inline!).toString()).toBe('one');
    expect(await blobOf(read, id, two!)).toEqual({
      blobId: two!.blob.blobId,
      sizeBytes: 3,
      inline: null,
      crc32: crc32(Buffer.from('two')),
    });
    await uploads.put(handle, 1, Buffer.from('new'));
    await expect(blobOf(read, id, one!)).rejects.toThrow(BlobMissing);
  });
});
