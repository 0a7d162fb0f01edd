import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import { accountId, key, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of API keys. */
export function apiKeysConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: API keys`, () => {
    it('are found by hash and by id, as they were added', async () => {
      const full: ApiKey = {
        ...key,
        id: 'key-2',
        resources: ['app_1'],
        prefixes: null,
        expiresAt: null,
        lastUsedAt: 5,
        createdAt: 999,
      };
      const [hash, fullHash] = [randomBytes(32), randomBytes(32)];
      await write((tx) => tx.apiKeys.add(key, hash));
      await write((tx) => tx.apiKeys.add(full, fullHash));
      expect(await store.metadata.read.apiKeys.findByHash(hash)).toEqual(key);
      expect(await store.metadata.read.apiKeys.findWithAccount(hash)).toEqual({ key, account: await store.account() });
      expect(await store.metadata.read.apiKeys.findByHash(new Uint8Array(fullHash))).toEqual(full);
      expect(await store.metadata.read.apiKeys.find('key-2')).toEqual(full);
      expect(await store.metadata.read.apiKeys.listOf(accountId)).toEqual([full, key]);
      expect(await store.metadata.read.apiKeys.listOf(otherId)).toEqual([]);
    });

    it('are not found by another hash, a part of one, or none', async () => {
      const hash = randomBytes(32);
      await write((tx) => tx.apiKeys.add(key, hash));
      for (const wrong of [
        randomBytes(32),
        hash.subarray(0, 31),
        Buffer.concat([hash, Buffer.alloc(1)]),
        Buffer.alloc(0),
      ])
        expect(await store.metadata.read.apiKeys.findByHash(wrong)).toBeUndefined();
      expect(await store.metadata.read.apiKeys.findWithAccount(randomBytes(32))).toBeUndefined();
      expect(await store.metadata.read.apiKeys.find('nothing')).toBeUndefined();
    });

    it('refuse a hash or an id twice, and an account that does not exist', async () => {
      const hash = randomBytes(32);
      await write((tx) => tx.apiKeys.add(key, hash));
      await expect(write((tx) => tx.apiKeys.add({ ...key, id: 'key-2' }, hash))).rejects.toThrow();
      await expect(write((tx) => tx.apiKeys.add(key, randomBytes(32)))).rejects.toThrow();
      await expect(
        write((tx) => tx.apiKeys.add({ ...key, id: 'key-3', accountId: 'nobody' }, randomBytes(32))),
      ).rejects.toThrow();
    });

    it('count as live until they are revoked or expire, to the millisecond', async () => {
      await write(async (tx) => {
        await tx.apiKeys.add(key, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-2', expiresAt: null }, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-3', accountId: otherId }, randomBytes(32));
      });
      const live = (now: number) => write((tx) => tx.apiKeys.countLive(accountId, now));
      expect([await live(8999), await live(9000)]).toEqual([2, 1]);
      await write((tx) => tx.apiKeys.revoke('key-2', 7000));
      expect([await live(8999), await live(9000)]).toEqual([1, 0]);
    });

    it('are listed while they are live, to the millisecond, oldest first, for one account only', async () => {
      await write(async (tx) => {
        await tx.apiKeys.add(key, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-2', expiresAt: null, createdAt: 999 }, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-3', accountId: otherId }, randomBytes(32));
      });
      const live = async (now: number) =>
        (await store.metadata.read.apiKeys.liveOf(accountId, now)).map(({ id }) => id);
      expect([await live(8999), await live(9000)]).toEqual([['key-2', 'key-1'], ['key-2']]);
      await write((tx) => tx.apiKeys.revoke('key-2', 7000));
      expect([await live(8999), await live(9000)]).toEqual([['key-1'], []]);
      expect(await write((tx) => tx.apiKeys.liveOf(accountId, 8999))).toEqual([key]);
    });

    it('accept a new secret, and are no longer found by the old one', async () => {
      const [before, after, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
      await write((tx) => tx.apiKeys.add(key, before));
      await write((tx) => tx.apiKeys.add({ ...key, id: 'key-2' }, other));
      const secret = { keyNumber: 1, last4: 'wxyz', expiresAt: 7_000_000, s3Salt: null, s3Check: null, s3Sealed: null };
      await write((tx) =>
        tx.apiKeys.replaceSecret('key-1', { ...secret, hash: after, s3Salt: 'SALT', s3Check: 'check' }),
      );
      expect(await store.metadata.read.apiKeys.findByHash(before)).toBeUndefined();
      expect(await store.metadata.read.apiKeys.findByHash(after)).toEqual({
        ...key,
        last4: 'wxyz',
        expiresAt: 7_000_000,
        s3Salt: 'SALT',
        s3Check: 'check',
      });
      expect(await store.metadata.read.apiKeys.findByHash(other)).toEqual({ ...key, id: 'key-2' });
      expect((await store.metadata.read.apiKeys.findByS3Salt('SALT'))?.id).toBe('key-1');
      await expect(write((tx) => tx.apiKeys.replaceSecret('key-1', { ...secret, hash: other }))).rejects.toThrow();
    });

    it('keep the time of the first revocation, and are still found', async () => {
      const hash = randomBytes(32);
      await write((tx) => tx.apiKeys.add(key, hash));
      await write((tx) => tx.apiKeys.revoke('key-1', 7000));
      await write((tx) => tx.apiKeys.revoke('key-1', 8000));
      await write((tx) => tx.apiKeys.revoke('nothing', 8000));
      expect(await store.metadata.read.apiKeys.findByHash(hash)).toEqual({ ...key, revokedAt: 7000 });
    });

    it('record their last use', async () => {
      await write((tx) => tx.apiKeys.add(key, randomBytes(32)));
      await write((tx) => tx.apiKeys.noteUse('key-1', 4000));
      expect((await store.metadata.read.apiKeys.find('key-1'))!.lastUsedAt).toBe(4000);
    });
  });
}
