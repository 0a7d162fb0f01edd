import { describe, expect, it } from 'vitest';

import { forgetUploadTokens } from '#server/features/upload-tokens/forget-upload-tokens.ts';
import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { bareStarted } from '#test/stores/metadata/rows.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { minting } from '#test/features/upload-tokens/tokens.ts';

const dayMs = 86_400_000;

const known = async ({ metadata }: TestStores, { id }: UploadToken) =>
  (await metadata.read.uploadTokens.find(id)) !== undefined;

/** Adds a chunked upload that the token opened. */
async function openUpload({ metadata }: TestStores, { id: tokenId, accountId }: UploadToken): Promise<void> {
  const resolved = { ...bareStarted.resolved, address: { ...bareStarted.resolved.address, accountId } };
  await metadata.atomically((tx) => tx.chunkedUploads.open({ ...bareStarted, accountId, tokenId, resolved }, 1, 0));
}

async function forgetUpload({ metadata }: TestStores): Promise<void> {
  await metadata.atomically(async (tx) => {
    await tx.chunkedUploads.abort(bareStarted.id, 0);
    expect(await tx.chunkedUploads.forgetClosed(1, 1)).toBe(1);
  });
}

describe('forgetUploadTokens()', () => {
  it('removes tokens a day after they expired, and no sooner', async () => {
    const stores = await openTestStores();
    const { mint } = await minting(stores);
    const { token: first } = await mint({ lifetimeMs: 60_000 });
    const { token: second } = await mint({ lifetimeMs: 60_001 });
    expect(await forgetUploadTokens(stores, first.expiresAt + dayMs)).toBe(0);
    expect(await forgetUploadTokens(stores, first.expiresAt + dayMs + 1)).toBe(1);
    expect([await known(stores, first), await known(stores, second)]).toEqual([false, true]);
  });

  it('keeps a token while an upload that it opened is known, because its browser may come back', async () => {
    const stores = await openTestStores();
    const { mint } = await minting(stores);
    const { token } = await mint();
    await openUpload(stores, token);
    expect(await forgetUploadTokens(stores, token.expiresAt + 100 * dayMs)).toBe(0);
    await forgetUpload(stores);
    expect(await forgetUploadTokens(stores, token.expiresAt + 100 * dayMs)).toBe(1);
  });

  it('ends after several batches', async () => {
    const stores = await openTestStores();
    const { mint } = await minting(stores);
    await Promise.all(Array.from({ length: 501 }, () => mint()));
    expect(await forgetUploadTokens(stores, stores.clock.now() + 2 * dayMs)).toBe(501);
  });
});
