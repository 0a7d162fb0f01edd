import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { key, token } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of upload tokens. */
export function uploadTokensConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: upload tokens`, () => {
    const hash = randomBytes(32);
    const bare: UploadToken = {
      ...token,
      id: 'token-2',
      keyId: 'key-2',
      pins: {},
      expiresAt: 500_000,
      maxUses: 1,
      usesLeft: 1,
    };
    beforeEach(() =>
      write(async (tx) => {
        await tx.apiKeys.add(key, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-2' }, randomBytes(32));
        await tx.uploadTokens.add(token, hash);
        await tx.uploadTokens.add(bare, randomBytes(32));
      }),
    );
    const find = async (id = token.id) => store.metadata.read.uploadTokens.find(id);
    const uses = async () => (await find())!.usesLeft;

    it('are returned as they were added, by the hash of their secret and by their id', async () => {
      expect([await store.metadata.read.uploadTokens.findByHash(hash), await find(), await find(bare.id)]).toEqual([
        token,
        token,
        bare,
      ]);
      expect([await store.metadata.read.uploadTokens.findByHash(randomBytes(32)), await find('none')]).toEqual([
        undefined,
        undefined,
      ]);
      expect(
        await write(async (tx) => [await tx.uploadTokens.findByHash(hash), await tx.uploadTokens.find(bare.id)]),
      ).toEqual([token, bare]);
    });

    it('never spend more than their uses, also in parallel', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          write((tx) => (at % 2 ? tx.uploadTokens.spend(token.id) : tx.uploadTokens.reserve(token.id))),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(3);
      expect(await uses()).toBe(0);
      expect(await write((tx) => tx.uploadTokens.spend('none'))).toBe(false);
      expect(await write((tx) => tx.uploadTokens.reserve('none'))).toBe(false);
    });

    it('return held uses that were not kept', async () => {
      for (let use = 0; use < 3; use++) await write((tx) => tx.uploadTokens.reserve(token.id));
      await write((tx) => tx.uploadTokens.spendReserved(token.id));
      await write((tx) => tx.uploadTokens.returnReserved(token.id));
      expect(await uses()).toBe(1);
      expect(await write((tx) => tx.uploadTokens.returnAllReserved())).toBe(1);
      expect(await uses()).toBe(2);
      expect(await write((tx) => tx.uploadTokens.spendReserved(token.id)), 'it was given back').toBe(false);
      await write((tx) => tx.uploadTokens.returnReserved(token.id));
      expect(await uses()).toBe(2);
    });

    it('return the held uses of one process alone', async () => {
      await write((tx) => tx.uploadTokens.reserve(token.id));
      expect(await write((tx) => tx.uploadTokens.returnAllReserved('another'))).toBe(0);
      expect(await uses()).toBe(2);
      expect(await write((tx) => tx.uploadTokens.returnAllReserved(''))).toBe(1);
      expect(await uses()).toBe(3);
    });

    it('return no uses that were not held', async () => {
      await write((tx) => tx.uploadTokens.spend(token.id));
      await write((tx) => tx.uploadTokens.returnReserved(token.id));
      expect(await write((tx) => tx.uploadTokens.returnAllReserved())).toBe(0);
      expect(await uses()).toBe(2);
    });

    it('end with the secret of their key, once, and with no other key', async () => {
      await write((tx) => tx.uploadTokens.endThoseOf('key-1', 7));
      await write((tx) => tx.uploadTokens.endThoseOf('key-1', 8));
      expect([await find(), await find(bare.id)]).toEqual([{ ...token, endedAt: 7 }, bare]);
    });

    it('are removed by the time of their expiry, up to the limit', async () => {
      const forget = (instant: number, limit = 10) =>
        write((tx) => tx.uploadTokens.forgetExpiredBefore(instant, limit));
      expect(await forget(bare.expiresAt)).toBe(0);
      expect(await forget(bare.expiresAt + 1)).toBe(1);
      expect([await find(bare.id), await find()]).toEqual([undefined, token]);
      expect([await forget(1e15, 0), await forget(1e15, 1), await forget(1e15, 1)]).toEqual([0, 1, 0]);
    });
  });
}
