import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import { accountId, key, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const rotation: MasterKeyRotation = {
  number: 2,
  check: 'new',
  formerCheck: 'former',
  beganAt: 1000,
  inForceAt: null,
  signsUntil: null,
  findsUntil: null,
  resealedAt: null,
  endedAt: null,
  sealedKey: 'sealed key',
  sealedFormer: 'sealed former',
};

const session = { hash: Buffer.alloc(32, 1), expiresAt: 9000, wrongCodes: 0 };

/** The rotations of the master key, and the rows that are stored anew because of them. */
export function masterKeysConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: rotations of the master key`, () => {
    it('are replaced by their number, and the last one is found', async () => {
      const { read } = store.metadata;
      expect(await read.masterKeys.lastRotation()).toBeUndefined();
      await write((tx) => tx.masterKeys.put(rotation));
      expect(await read.masterKeys.lastRotation()).toEqual(rotation);
      const inForce = { ...rotation, inForceAt: 2000, signsUntil: 3000, findsUntil: 4000, sealedKey: null };
      await write((tx) => tx.masterKeys.put(inForce));
      expect(await read.masterKeys.lastRotation()).toEqual(inForce);
      await write((tx) => tx.masterKeys.put({ ...rotation, number: 3 }));
      expect((await read.masterKeys.lastRotation())?.number).toBe(3);
    });

    it('tell which live keys are stored under an older key, the last used ones first', async () => {
      const { read } = store.metadata;
      const live = { ...key, expiresAt: null };
      await write(async (tx) => {
        await tx.apiKeys.add({ ...live, lastUsedAt: 5 }, randomBytes(32));
        await tx.apiKeys.add({ ...live, id: 'key-2', accountId: otherId, lastUsedAt: 7 }, randomBytes(32), 2);
        await tx.apiKeys.add({ ...live, id: 'key-3' }, randomBytes(32), 3);
        await tx.apiKeys.add({ ...live, id: 'key-4', revokedAt: 3 }, randomBytes(32));
        await tx.apiKeys.add({ ...live, id: 'key-5', expiresAt: 100 }, randomBytes(32));
      });
      const { id, name: keyName, last4 } = live;
      expect(await read.masterKeys.formerApiKeys(3, 100, 10)).toEqual([
        { id: 'key-2', accountId: otherId, name: keyName, last4, lastUsedAt: 7 },
        { id, accountId, name: keyName, last4, lastUsedAt: 5 },
      ]);
      expect(await read.masterKeys.formerApiKeys(3, 100, 1)).toHaveLength(1);
      expect(await read.masterKeys.countFormer(2, 100)).toEqual({ apiKeys: 1, operatorKeys: 0 });
    });
  });

  describe(`${name}: API keys under a former master key`, () => {
    const [former, renewed, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8), Buffer.alloc(32, 9)];

    it('get another hash once, with their sessions', async () => {
      const { read } = store.metadata;
      await write((tx) => tx.apiKeys.add(key, former));
      await write((tx) => tx.sessions.add({ ...session, keyHash: former }));
      await write((tx) => tx.apiKeys.renewHash(key.id, former, { hash: renewed, keyNumber: 2 }));
      // A request at the same time found the former hash too.
      await write((tx) => tx.apiKeys.renewHash(key.id, former, { hash: other, keyNumber: 3 }));
      expect(await read.apiKeys.findByHash(renewed)).toEqual(key);
      expect(await read.apiKeys.findByHash(former)).toBeUndefined();
      expect(Buffer.from((await read.sessions.find(session.hash))!.keyHash)).toEqual(renewed);
      expect(await read.masterKeys.countFormer(3, 0)).toMatchObject({ apiKeys: 1 });
    });

    it('keep another secret that they got meanwhile', async () => {
      await write((tx) => tx.apiKeys.add(key, other));
      await write((tx) => tx.sessions.add({ ...session, keyHash: former }));
      await write((tx) => tx.apiKeys.renewHash(key.id, former, { hash: renewed, keyNumber: 2 }));
      expect(await store.metadata.read.apiKeys.findByHash(renewed)).toBeUndefined();
      expect(Buffer.from((await store.metadata.read.sessions.find(session.hash))!.keyHash)).toEqual(former);
    });

    it('get another S3 seed unless the row has changed since', async () => {
      const paired = { ...key, s3Salt: 'SALT', s3Check: 'check' };
      await write((tx) => tx.apiKeys.add(paired, former));
      await write((tx) => tx.apiKeys.add({ ...key, id: 'key-2' }, other));
      const { read } = store.metadata;
      expect(await read.apiKeys.withS3After('', 10)).toEqual([paired]);
      expect(await read.apiKeys.withS3After('key-1', 10)).toEqual([]);
      await write((tx) => tx.apiKeys.replaceS3Seed(paired, { s3Check: 'check', s3Sealed: 'sealed' }));
      expect(await read.apiKeys.find('key-1')).toEqual({ ...paired, s3Sealed: 'sealed' });
      await write((tx) => tx.apiKeys.replaceS3Seed(paired, { s3Check: 'check', s3Sealed: 'again' }));
      await write((tx) => tx.apiKeys.replaceS3Seed({ ...paired, s3Salt: 'OTHER' }, { s3Check: null, s3Sealed: null }));
      expect((await read.apiKeys.find('key-1'))!.s3Sealed).toBe('sealed');
    });
  });

  describe(`${name}: operator keys under a former master key`, () => {
    it('get another hash once', async () => {
      const [former, renewed] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
      const { read } = store.metadata;
      const { id, name: keyName, createdAt, lastUsedAt, revokedAt, last4 } = key;
      const operatorKey = { id, name: keyName, createdAt, lastUsedAt, expiresAt: null, revokedAt, last4 };
      await write((tx) => tx.operatorKeys.add(operatorKey, former));
      expect(await read.masterKeys.countFormer(2, 0)).toMatchObject({ operatorKeys: 1 });
      await write((tx) => tx.operatorKeys.renewHash(id, former, { hash: renewed, keyNumber: 2 }));
      await write((tx) => tx.operatorKeys.renewHash(id, former, { hash: Buffer.alloc(32, 9), keyNumber: 3 }));
      expect(await read.operatorKeys.findByHash(renewed)).toEqual(operatorKey);
      expect(await read.masterKeys.countFormer(2, 0)).toMatchObject({ operatorKeys: 0 });
    });
  });
}
