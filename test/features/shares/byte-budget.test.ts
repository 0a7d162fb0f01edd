import { describe, expect, it } from 'vitest';

import { byteBudgetMs, byteBudgetStepBytes, maxResentBytes } from '#server/features/shares/limits.ts';
import {
  byteBudgetOf,
  beginAnswer,
  continueAnswer,
  downloaderOf,
  returnUnsent,
  type CountedAnswer,
} from '#server/features/shares/byte-budget.ts';
import type { Share } from '#server/features/shares/share.ts';
import { openTestStores } from '#test/support/stores.ts';

const large = 100_000_000;

async function sharing({ cap = 2, sizeBytes = large, hasLanding = false } = {}) {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account();
  const object = { accountId, space: 'private', key: 'film.mov' } as const;
  const content = { id: 'content-1', sizeBytes, crc32: 1, blobs: [{ blobId: 'blob-1', sizeBytes, inline: null }] };
  const share: Share = {
    idHash: 'share-1',
    sealedId: 's',
    object,
    generation: 'one',
    bundle: null,
    fileCount: null,
    createdAt: 0,
    expiresAt: stores.clock.now() + 3_600_000,
    maxDownloads: cap,
    remainingDownloads: cap,
    passwordHash: null,
    hasLanding,
    title: null,
    message: null,
    downloads: 0,
    revokedAt: null,
  };
  await stores.metadata.atomically(async (tx) => {
    await tx.contents.add(content);
    await tx.objects.put({
      ...object,
      suffix: { hash: null, mark: null, extension: 'mov' },
      generation: 'one',
      versionId: 'version-1',
      contentId: content.id,
      sizeBytes,
      etag: 'e',
      sha256: null,
      createdAt: 0,
      expiresAt: null,
      cacheControl: null,
      disposition: null,
      originalName: null,
      metadata: {},
      clientProperties: null,
    });
    await tx.shares.add(share);
  });
  const answer: CountedAnswer = {
    accountId: object.accountId,
    idHash: share.idHash,
    downloader: downloaderOf({ address: '192.0.2.1', userAgent: 'curl/8' }),
    content,
    isRanged: false,
    isForm: false,
  };
  const ranged = { ...answer, isRanged: true };
  const left = async () => (await stores.metadata.read.shares.find(share.idHash))!.remainingDownloads;
  const leftOf = (downloadId: string) =>
    stores.metadata.atomically(async (tx) => (await tx.shares.findDownload(downloadId))?.leftBytes);
  return { stores, share, answer, ranged, left, leftOf };
}

describe('byteBudgetOf()', () => {
  it.each([
    [0, 0],
    [1, 2],
    [maxResentBytes, 2 * maxResentBytes],
    [large, large + maxResentBytes],
  ])('gives a download of %i bytes a byte budget of %i', (sizeBytes, bytes) => {
    expect(byteBudgetOf(sizeBytes)).toBe(bytes);
  });
});

describe('beginAnswer()', () => {
  it('takes a step of a long answer, and all of a short one', async () => {
    const { stores, answer, ranged, leftOf } = await sharing();
    const { downloadId, bytes } = await beginAnswer(stores, answer, large);
    expect([bytes, await leftOf(downloadId)]).toEqual([
      byteBudgetStepBytes,
      large + maxResentBytes - byteBudgetStepBytes,
    ]);
    expect(await beginAnswer(stores, ranged, 1000)).toEqual({ downloadId, bytes: 1000 });
  });

  it('spends a download for a request without a range, whatever is left of others', async () => {
    const { stores, answer, left } = await sharing();
    for (let time = 0; time < 2; time++) await beginAnswer(stores, answer, large);
    expect(await left()).toBe(0);
    await expect(beginAnswer(stores, answer, large)).rejects.toMatchObject({ code: 'SHARE_EXHAUSTED' });
  });

  it.each([
    [
      'another address',
      (answer: CountedAnswer) => ({ ...answer, downloader: { ...answer.downloader, address: '192.0.2.2' } }),
    ],
    [
      'another user agent',
      (answer: CountedAnswer) => ({ ...answer, downloader: { ...answer.downloader, userAgent: 'wget' } }),
    ],
    [
      'another version of the file',
      (answer: CountedAnswer) => ({ ...answer, content: { ...answer.content, id: 'content-2' } }),
    ],
  ])('spends another download for a range with %s', async (_, changed) => {
    const { stores, ranged, left } = await sharing();
    await beginAnswer(stores, ranged, 1000);
    await beginAnswer(stores, changed(ranged), 1000);
    expect(await left()).toBe(0);
  });

  it('spends another download for a range 15 minutes after the last download', async () => {
    const { stores, ranged, left } = await sharing();
    await beginAnswer(stores, ranged, 1000);
    stores.clock.advance(byteBudgetMs - 1);
    await beginAnswer(stores, ranged, 1000);
    expect(await left()).toBe(1);
    stores.clock.advance(1);
    await beginAnswer(stores, ranged, 1000);
    expect(await left()).toBe(0);
  });

  it('spends another download for a range that is longer than the rest once the whole file was sent', async () => {
    const { stores, answer, ranged, left } = await sharing();
    await beginAnswer(stores, answer, large, large);
    await beginAnswer(stores, ranged, maxResentBytes, maxResentBytes);
    expect(await left()).toBe(1);
    await beginAnswer(stores, ranged, 1);
    expect(await left()).toBe(0);
  });

  it('allows a range to the end until the file was sent completely, because its client may leave', async () => {
    const { stores, answer, ranged, left } = await sharing();
    await beginAnswer(stores, answer, large, large - 1);
    await beginAnswer(stores, ranged, large - 1000);
    expect(await left()).toBe(1);
  });

  it.each([
    ['SHARE_NOT_FOUND when the link is revoked meanwhile', 'SHARE_NOT_FOUND', 'revoke'],
    ['SHARE_NOT_FOUND when the file is deleted meanwhile', 'SHARE_NOT_FOUND', 'delete'],
    ['SHARE_EXPIRED when the link expires meanwhile', 'SHARE_EXPIRED', 'expire'],
  ] as const)('throws %s, and spends nothing', async (_, code, how) => {
    const { stores, share, answer, ranged, left } = await sharing();
    await beginAnswer(stores, answer, large);
    if (how === 'revoke') await stores.metadata.atomically((tx) => tx.shares.revoke(share.idHash, tx.now));
    if (how === 'delete') await stores.metadata.atomically((tx) => tx.objects.remove(share.object));
    if (how === 'expire') stores.clock.advance(3_600_000);
    for (const one of [answer, ranged]) await expect(beginAnswer(stores, one, 1000)).rejects.toMatchObject({ code });
    expect(await left()).toBe(1);
  });

  it('never gives more than the cap and the byte budgets to parallel requests', async () => {
    const sizeBytes = 1000;
    const { stores, ranged } = await sharing({ cap: 3, sizeBytes });
    const taken = await Promise.allSettled(Array.from({ length: 60 }, () => beginAnswer(stores, ranged, 300)));
    const bytes = taken.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value.bytes : 0), 0);
    // Six ranges of 300 bytes fit into each of three byte budgets of 2000 bytes.
    expect(bytes).toBe(3 * 6 * 300);
  });
});

describe('continueAnswer()', () => {
  it('takes each step from its own download, even after 15 minutes', async () => {
    const { stores, answer, left, leftOf } = await sharing();
    const { downloadId } = await beginAnswer(stores, answer, large);
    stores.clock.advance(byteBudgetMs);
    expect(await continueAnswer(stores, answer, downloadId, large - byteBudgetStepBytes)).toEqual({
      downloadId,
      bytes: byteBudgetStepBytes,
    });
    expect([await left(), await leftOf(downloadId)]).toEqual([1, large + maxResentBytes - 2 * byteBudgetStepBytes]);
  });

  it('takes the last bytes of its download, then spends another one, and then fails', async () => {
    const { stores, answer, ranged, left } = await sharing();
    const { downloadId } = await beginAnswer(stores, answer, large, 10);
    await beginAnswer(stores, ranged, large, large);
    await beginAnswer(stores, ranged, maxResentBytes - 30, maxResentBytes);
    expect(await continueAnswer(stores, answer, downloadId, large - 10)).toEqual({ downloadId, bytes: 20 });
    const next = await continueAnswer(stores, answer, downloadId, large - 30);
    expect([next.downloadId === downloadId, next.bytes, await left()]).toEqual([false, byteBudgetStepBytes, 0]);
    await beginAnswer(stores, ranged, large, large);
    await beginAnswer(stores, ranged, maxResentBytes - byteBudgetStepBytes, maxResentBytes);
    await expect(continueAnswer(stores, answer, next.downloadId, 1)).rejects.toMatchObject({ code: 'SHARE_EXHAUSTED' });
  });
});

describe('a link whose downloads only a form begins', () => {
  it('spends none for another request, and none for the rest of an answer', async () => {
    const { stores, answer, ranged, left } = await sharing({ hasLanding: true });
    for (const other of [answer, ranged])
      await expect(beginAnswer(stores, other, 10)).rejects.toMatchObject({ code: 'SHARE_EXHAUSTED' });
    const { downloadId } = await beginAnswer(stores, { ...answer, isForm: true }, large, 10);
    expect(await left()).toBe(1);
    await beginAnswer(stores, ranged, large, large);
    await beginAnswer(stores, ranged, maxResentBytes - 10, maxResentBytes);
    await expect(continueAnswer(stores, { ...answer, isForm: true }, downloadId, 1)).rejects.toMatchObject({
      code: 'SHARE_EXHAUSTED',
    });
    expect(await left()).toBe(1);
  });
});

describe('returnUnsent()', () => {
  it('gives back bytes', async () => {
    const { stores, answer, left, leftOf } = await sharing();
    const { downloadId } = await beginAnswer(stores, answer, large);
    await returnUnsent(stores, answer, { downloadId, bytes: 400 }, true);
    expect([await left(), await leftOf(downloadId)]).toEqual([1, large + maxResentBytes - byteBudgetStepBytes + 400]);
  });

  it('gives back a download that never began, unless it has given a byte to another answer', async () => {
    const { stores, answer, ranged, left } = await sharing();
    const [first, second] = [await beginAnswer(stores, answer, large), await beginAnswer(stores, answer, large)];
    await beginAnswer(stores, ranged, 1);
    for (const taken of [first, second]) await returnUnsent(stores, answer, taken, false);
    expect(await left()).toBe(1);
  });
});
