import { describe, expect, it } from 'vitest';

import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import {
  spendReservedUse,
  returnReservedUses,
  spendUse,
  withReservedUse,
} from '#server/features/upload-tokens/reserve-use.ts';
import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { asker } from '#test/domain/access/asker.ts';
import { minting, type Minting } from './tokens.ts';

const usesLeft = async ({ metadata }: TestStores, { id }: UploadToken) =>
  (await metadata.read.uploadTokens.find(id))!.usesLeft;

const store = (stores: TestStores, { id }: UploadToken) =>
  stores.metadata.atomically((tx) => tx.uploadTokens.spendReserved(id));

describe('withReservedUse()', () => {
  it('runs the work directly without a token', async () => {
    const metadata = { atomically: () => expect.unreachable('a write') };
    expect(await withReservedUse({ metadata }, undefined, async () => 'done')).toBe('done');
  });

  it('reserves a use while the upload runs, and spends it with the file', async () => {
    const stores = await openTestStores();
    const { token } = await (await minting(stores)).mint({ maxUses: 2 });
    const during = await withReservedUse(stores, token, async () => {
      const left = await usesLeft(stores, token);
      await store(stores, token);
      return left;
    });
    expect([during, await usesLeft(stores, token)]).toEqual([1, 1]);
    expect(await returnReservedUses(stores)).toBe(0);
  });

  it('gives the use back when the upload fails, and rethrows its error', async () => {
    const stores = await openTestStores();
    const { token } = await (await minting(stores)).mint();
    const fault = new Error('cut');
    await expect(withReservedUse(stores, token, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(await usesLeft(stores, token)).toBe(1);
  });

  it('keeps the use reserved when giving it back fails, until the next start gives it back', async () => {
    const stores = await openTestStores();
    const { token } = await (await minting(stores)).mint({ maxUses: 3 });
    let writes = 0;
    const atomically = <T>(work: Parameters<typeof stores.metadata.atomically<T>>[0]) =>
      writes++ === 0 ? stores.metadata.atomically(work) : Promise.reject(new Error('full'));
    await expect(
      withReservedUse({ metadata: { atomically } }, token, () => Promise.reject(new Error('cut'))),
    ).rejects.toThrow('cut');
    expect(await usesLeft(stores, token)).toBe(2);
    expect(await returnReservedUses(stores)).toBe(1);
    expect(await usesLeft(stores, token)).toBe(3);
    expect(await returnReservedUses(stores)).toBe(0);
  });

  it('runs no more uploads at once than there are uses', async () => {
    const stores = await openTestStores();
    const { token } = await (await minting(stores)).mint({ maxUses: 3 });
    let running = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, () => withReservedUse(stores, token, async () => (running++, store(stores, token)))),
    );
    expect(running).toBe(3);
    expect(
      outcomes.filter(({ status }) => status === 'rejected').map((one) => (one as PromiseRejectedResult).reason.code),
    ).toEqual(Array(61).fill('UPLOAD_TOKEN_USED'));
  });
});

describe('spendReservedUse()', () => {
  it('spends another use when the reserved one was given back, and refuses when none is left', async () => {
    const stores = await openTestStores();
    const { token } = await (await minting(stores)).mint({ maxUses: 1 });
    const upload = () =>
      withReservedUse(stores, token, async () => {
        await returnReservedUses(stores);
        await stores.metadata.atomically((tx) => spendReservedUse(tx, token));
      });
    await upload();
    expect(await usesLeft(stores, token)).toBe(0);
    await expect(stores.metadata.atomically((tx) => spendReservedUse(tx, token))).rejects.toMatchObject({
      code: 'UPLOAD_TOKEN_USED',
    });
  });
});

const ends: Readonly<Record<string, (stores: TestStores, minted: Minting) => unknown>> = {
  'its key was revoked': (stores, { key }) => revokeKey(stores, key.id),
  'its key got another secret': (stores, { account, key }) =>
    regenerateKey(stores, { accountId: account.id, keyId: key.id, asker: asker(key.id) }),
  'it expired': (stores) => stores.clock.advance(900_000),
};

describe.each(Object.entries(ends))('a request that was accepted before %s', (_, end) => {
  it('gets ACCESS_DENIED from withReservedUse() and spendUse(), even when its token is used up', async () => {
    const stores = await openTestStores();
    const minted = await minting(stores);
    const { token } = await minted.mint();
    const { token: used } = await minted.mint();
    await stores.metadata.atomically((tx) => spendUse(tx, used));
    await end(stores, minted);
    for (const one of [token, used]) {
      await expect(withReservedUse(stores, one, () => expect.unreachable('an upload'))).rejects.toMatchObject({
        code: 'ACCESS_DENIED',
      });
      await expect(stores.metadata.atomically((tx) => spendUse(tx, one))).rejects.toMatchObject({
        code: 'ACCESS_DENIED',
      });
    }
    expect(await usesLeft(stores, token)).toBe(1);
  });
});

describe('spendUse()', () => {
  it('does nothing without a token', async () => {
    const stores = await openTestStores();
    await stores.metadata.atomically((tx) => spendUse(tx, undefined));
  });

  it('spends one use after the other, and none when the transaction fails', async () => {
    const stores = await openTestStores();
    const { token } = await (await minting(stores)).mint({ maxUses: 2 });
    const spend = () => stores.metadata.atomically((tx) => spendUse(tx, token));
    await spend();
    await stores.metadata
      .atomically(async (tx) => (await spendUse(tx, token), Promise.reject(new Error('full'))))
      .catch(() => {});
    expect(await usesLeft(stores, token)).toBe(1);
    await spend();
    await expect(spend()).rejects.toMatchObject({ code: 'UPLOAD_TOKEN_USED' });
    expect(await returnReservedUses(stores)).toBe(0);
  });
});
