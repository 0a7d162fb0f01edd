import { expect, it } from 'vitest';

import { maxActiveShares, maxListedShares } from '#server/features/shares/limits.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import type { Share } from '#server/features/shares/share.ts';
import { openSqliteStores } from '#test/support/stores.ts';
import { threadMs } from '#test/support/thread-ms.ts';

/** Returns the least of several times, in ms of this thread's CPU. */
async function leastMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 5; time++) {
    const before = threadMs();
    await work();
    times.push(threadMs() - before);
  }
  return Math.min(...times);
}

const rounds = 25;

it('an account with tens of thousands of ended links counts and lists its links as fast as one without, and correctly', async () => {
  const { metadata, connections, account } = await openSqliteStores();
  const { id: accountId } = await account();
  const file: StoredObject = {
    accountId,
    space: 'private',
    key: 'kept.png',
    contentId: 'content',
    sizeBytes: 3,
    etag: 'e',
    sha256: null,
    createdAt: 1,
    expiresAt: null,
    cacheControl: null,
    disposition: null,
    originalName: 'kept.png',
    metadata: {},
    clientProperties: null,
    suffix: { hash: null, mark: null, extension: 'png' },
    generation: 'kept',
    versionId: 'version-1',
  };
  const link: Share = {
    idHash: '',
    sealedId: 's',
    object: { accountId, space: 'private', key: 'kept.png' },
    bundle: null,
    fileCount: null,
    generation: 'kept',
    createdAt: 1,
    expiresAt: 1000,
    maxDownloads: 1,
    remainingDownloads: 1,
    passwordHash: null,
    hasLanding: false,
    title: null,
    message: null,
    downloads: 0,
    revokedAt: null,
  };
  const left = { ...link, object: { ...link.object, key: 'left.png' } };
  await metadata.atomically(async (tx) => {
    await tx.contents.add({
      id: 'content',
      blobs: [{ blobId: 'blob', sizeBytes: 3, inline: null }],
      sizeBytes: 3,
      crc32: 1,
    });
    await tx.objects.put(file);
    for (let at = 0; at < maxActiveShares; at++) await tx.shares.add({ ...link, idHash: `active-${at}` });
  });
  for (let round = 0; round < rounds; round++) {
    await metadata.atomically(async (tx) => {
      const generation = `left-${round}`;
      if (await tx.objects.find(left.object)) await tx.linksOfFile.lose(left.object);
      await tx.objects.put({ ...file, key: 'left.png', generation });
      for (let at = 0; at < maxActiveShares; at++) {
        await tx.shares.add({ ...link, idHash: `spent-${round}-${at}`, createdAt: 2 + round, remainingDownloads: 0 });
        await tx.shares.add({ ...left, idHash: `left-${round}-${at}`, createdAt: 2 + round, generation });
      }
      // In every second round the file is replaced instead of removed.
      if (round % 2 === 0 && (await tx.objects.remove(left.object))) await tx.linksOfFile.lose(left.object);
    });
  }
  await metadata.atomically(async (tx) => {
    await tx.objects.remove(left.object);
    await tx.linksOfFile.lose(left.object);
  });

  const lookedThrough = connections.writer
    .prepare('SELECT count(*) AS rows FROM shares WHERE is_end_told = 0 AND remaining IS NOT 0')
    .get();
  expect(lookedThrough, 'links that lost their file are left out').toEqual({ rows: maxActiveShares });
  const count = () => metadata.atomically((tx) => tx.shares.countActive(accountId, 500));
  const list = () => metadata.read.shares.listOf(accountId, 500, maxListedShares);
  const listed = await list();
  expect(await count()).toBe(maxActiveShares);
  expect(listed.filter(({ idHash }) => idHash.startsWith('active-'))).toHaveLength(maxActiveShares);
  expect(
    listed.slice(0, maxListedShares - maxActiveShares).every(({ idHash }) => idHash.startsWith(`spent-${rounds - 1}-`)),
  ).toBe(true);
  expect(listed).toHaveLength(maxListedShares);
  expect(await leastMs(count)).toBeLessThan(50);
  expect(await leastMs(list)).toBeLessThan(50);
  expect(await leastMs(() => metadata.atomically((tx) => tx.linksOfFile.lose(left.object)))).toBeLessThan(50);
});
