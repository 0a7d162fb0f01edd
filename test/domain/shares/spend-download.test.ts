import { describe, expect, it } from 'vitest';

import { liveClaims } from '#server/domain/shares/live-claims.ts';
import type { Share } from '#server/domain/shares/share.ts';
import { claimDownload, downloaderOf, endClaim, spendRedirect } from '#server/domain/shares/spend-download.ts';
import { openTestStores } from '#test/support/stores.ts';

const sizeBytes = 100_000_000;
const content = { id: 'content-1', sizeBytes, blobs: [{ blobId: 'blob-1', sizeBytes, inline: null }] };
const downloader = downloaderOf({ address: '192.0.2.1', userAgent: 'curl/8' });

async function sharing(cap = 2) {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account();
  const object = { accountId, space: 'private', key: 'film.mov' } as const;
  const share: Share = { id: 'share-1', object, incarnation: 'one', createdAt: 0, expiresAt: stores.clock.now() + 60_000, maxDownloads: cap, remainingDownloads: cap, passwordHash: null, hasLanding: false, revokedAt: null };
  await stores.metadata.atomically(async (tx) => {
    await tx.contents.add(content);
    await tx.objects.put({ ...object, ending: { hash: null, mark: null, extension: 'mov' }, incarnation: 'one', contentId: content.id, sizeBytes, etag: 'e', sha256: null, createdAt: 0, expiresAt: null, cacheControl: null, disposition: null, originalName: null, metadata: {}, s3: null });
    await tx.shares.add(share);
  });
  const live = liveClaims();
  const deps = { ...stores, live };
  const claim = (range?: { start: number; end: number }) => claimDownload(deps, { shareId: share.id, downloader, content, range });
  const left = async () => (await stores.metadata.read.shares.find(share.id))!.remainingDownloads;
  return { stores, share, live, deps, claim, left };
}

describe('claimDownload()', () => {
  it.each([
    ['SHARE_NOT_FOUND when the link is revoked meanwhile', 'SHARE_NOT_FOUND', 'revoke'],
    ['SHARE_NOT_FOUND when the file is deleted meanwhile', 'SHARE_NOT_FOUND', 'delete'],
    ['SHARE_EXPIRED when its time is over meanwhile', 'SHARE_EXPIRED', 'expire'],
  ] as const)('answers %s, and spends nothing', async (_, code, how) => {
    const { stores, share, claim, left, deps } = await sharing();
    if (how === 'revoke') await stores.metadata.atomically((tx) => tx.shares.revoke(share.id, tx.now));
    if (how === 'delete') await stores.metadata.atomically((tx) => tx.objects.remove(share.object));
    if (how === 'expire') stores.clock.advance(60_000);
    await expect(claim()).rejects.toMatchObject({ code });
    await expect(spendRedirect(deps, { shareId: share.id, downloader, content, isResumed: false })).rejects.toMatchObject({ code });
    expect(await left()).toBe(2);
  });

  it('ends an answer before the bytes that another one takes over, also when it has not begun to send', async () => {
    const { live, claim, left } = await sharing();
    const whole = await claim();
    const part = await claim({ start: 50_000_000, end: sizeBytes - 1 });
    const cuts: number[] = [];
    live.attach(whole.id, { position: () => 0, cutAt: (byte) => void cuts.push(byte) });
    await claim({ start: 25_000_000, end: sizeBytes - 1 });
    expect([part.downloadId === whole.downloadId, cuts, await left()]).toEqual([true, [50_000_000, 25_000_000], 1]);
  });

  it('waits for an answer that is about to end, and goes on with it', async () => {
    const { live, deps, claim, left } = await sharing();
    const whole = await claim();
    live.attach(whole.id, { position: () => 40_000_000, cutAt: () => {} });
    const resumed = claim({ start: 39_000_000, end: sizeBytes - 1 });
    setTimeout(() => void endClaim(deps, { ...whole, position: 40_000_000, isComplete: false }), 50);
    expect((await resumed).downloadId).toBe(whole.downloadId);
    expect(await left()).toBe(1);
  });

  it('spends another one when that answer does not end', async () => {
    const { live, claim, left } = await sharing();
    const whole = await claim();
    live.attach(whole.id, { position: () => 40_000_000, cutAt: () => {} });
    expect((await claim({ start: 39_000_000, end: sizeBytes - 1 })).downloadId).not.toBe(whole.downloadId);
    expect(await left()).toBe(0);
  });

  it('goes on with what an earlier process was sending when it ended', async () => {
    const { deps, share, claim, left } = await sharing(1);
    await claim();
    const after = { ...deps, live: liveClaims() };
    await claimDownload(after, { shareId: share.id, downloader, content, range: { start: 30_000_000, end: sizeBytes - 1 } });
    expect(await left()).toBe(0);
  });
});

describe('endClaim()', () => {
  it('gives back a download of which nothing was sent, and no other', async () => {
    const { deps, claim, left } = await sharing();
    const [first, second] = [await claim(), await claim()];
    await endClaim(deps, { ...first, position: 0, isComplete: false });
    await endClaim(deps, { ...first, position: 0, isComplete: false });
    await endClaim(deps, { ...second, position: 1, isComplete: false });
    expect(await left()).toBe(1);
  });
});
