import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { ActivityRecord } from '#server/domain/activity/activity.ts';
import type { ChunkedUpload, NewPart } from '#server/domain/chunked/chunked-upload.ts';
import type { NewChunkedUpload } from '#server/domain/chunked/table.ts';
import type { DeviceDecision, DeviceRequest } from '#server/domain/devices/device-request.ts';
import type { Content } from '#server/domain/objects/contents-table.ts';
import { spaces, type Space, type StoredObject } from '#server/domain/objects/object.ts';
import type { ObjectScan } from '#server/domain/objects/table.ts';
import { plans } from '#server/domain/plan.ts';
import type { Rule } from '#server/domain/rules/rule.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { Share } from '#server/domain/shares/share.ts';
import type { OpenDownloads, SpentDownload } from '#server/domain/shares/table.ts';
import type { UploadToken } from '#server/domain/upload-tokens/upload-token.ts';

/** A store to be proven. Its clock stands still until it is moved. */
export interface OpenedMetadata {
  readonly metadata: Metadata;
  readonly clock: { now(): number; advance(ms: number): void };
  /** How often it has told, after a commit, that there are blobs to remove. */
  doomings(): number;
  close(): Promise<void>;
}

const accountId = '204815162342108999';
const otherId = '204815162342108998';

const key: ApiKey = {
  id: 'key-1', accountId, name: 'Website ☁', scopes: ['blob:read', 'ai:chat'], resources: null, prefixes: ['photos', 'docs/2026'],
  createdAt: 1000, lastUsedAt: null, expiresAt: 9000, revokedAt: null, last4: 'abcd', s3Salt: null, s3Check: null,
};

const object: StoredObject = {
  accountId, space: 'public', key: 'a.png', contentId: 'content-1', sizeBytes: 3, etag: 'e', sha256: 'f'.repeat(64), createdAt: 1_776_763_800_123,
  expiresAt: 1_776_763_900_000, cacheControl: 'max-age=60', disposition: 'inline', s3: { contentType: 'text/x-own', metadata: { "a_b": '☁' } }, originalName: 'Ä "b"\u0000.png', metadata: { a: '1', b: '☁' },
  ending: { hash: 'abcdefghijklmnop', mark: 'ex6h', extension: 'tar.gz' }, incarnation: 'incarnation-1',
};

const record: ActivityRecord = {
  accountId, type: 'object.uploaded', object: { accountId, space: 'private', key: 'photos/ä.png' }, details: { size: 3, replaced: false, name: '☁' },
  actor: { sourceIp: '2001:db8::1', userAgent: 'curl/8.14.1', auth: 'api_key' },
};

const content = (id: string, blobs: Content['blobs'] = [{ blobId: `${id}-blob`, sizeBytes: 3, inline: null }]): Content => ({
  id, blobs, sizeBytes: blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});

const started: NewChunkedUpload = {
  id: 'upload-1', accountId, tokenId: 'token-1', originalName: 'Ä.tar.gz', startedAt: 1000, s3: { properties: { contentType: 'text/x-own' }, checksum: { algorithm: 'CRC32C', type: 'COMPOSITE' } },
  plan: {
    address: { accountId, space: 'private', key: 'a/ä.tar.gz' }, ending: { hash: 'h', mark: 'ex10', extension: 'tar.gz' }, expire: { hours: 240 }, mayReplace: false, disposition: 'attachment', cacheControl: 'no-cache',
    metadata: { a: '☁' }, cap: { maxBytes: 10_737_418_240, prefix: 'a/' },
  },
};

const bareStarted: NewChunkedUpload = {
  id: 'upload-2', accountId, tokenId: null, originalName: null, startedAt: 900, s3: null,
  plan: { address: { accountId, space: 'public', key: 'b' }, ending: { hash: null, mark: null, extension: '' }, expire: null, mayReplace: true, disposition: null, cacheControl: null, metadata: {}, cap: null },
};

const part = (number: number, sizeBytes = 20_000, inline: Uint8Array | null = null): NewPart => ({
  part: number, blob: { blobId: `part-${number}-${sizeBytes}`, sizeBytes, inline, ...(number % 2 === 0 && { checksum: { algorithm: 'CRC32' as const, value: 'AAAAAA==' } }) }, md5: 'a'.repeat(32),
});

const rule: Rule = {
  prefix: 'invoices/2026/', isPrivate: true, expire: { hours: 6 }, maxSizeBytes: 10_737_418_240, extensions: ['pdf', 'tar.gz'], cacheControl: 'max-age=60',
  deleteAfterDays: 365, createdAt: 1_776_763_800_123,
};

const bareRule: Rule = {
  prefix: 'a/', isPrivate: null, expire: null, maxSizeBytes: null, extensions: null, cacheControl: null, deleteAfterDays: null, createdAt: 1000,
};

const token: UploadToken = {
  id: 'token-1', accountId, keyId: 'key-1', createdAt: 1000, expiresAt: 901_000, endedAt: null, maxUses: 3, usesLeft: 3,
  pins: { name: 'avatar', prefix: 'a/b', isPrivate: false, securityHash: false, expire: null, maxSizeBytes: 10_737_418_240, allowedExtensions: ['png'], allowedOrigins: ['https://app.example'], metadata: { a: '☁' } },
};

/** Proves that a metadata store keeps what the port promises. `open` is called before each test and gives an empty store. */
export function metadataConformance(name: string, open: () => Promise<OpenedMetadata>): void {
  let opened: OpenedMetadata;
  let metadata: Metadata;

  beforeEach(async () => {
    opened = await open();
    metadata = opened.metadata;
    await metadata.atomically(async (tx) => {
      await tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 2000 });
      await tx.accounts.add({ id: otherId, name: 'second', plan: 'hobby', createdAt: 1000 });
    });
  });
  afterEach(() => opened.close());

  const write = <T>(work: (tx: Transaction) => Promise<T>) => metadata.atomically(work);
  const account = async (id = accountId) => (await metadata.read.accounts.find(id))!;

  describe(`${name}.atomically()`, () => {
    it('answers with the result of the work, once readers see its writes', async () => {
      expect(await write(async (tx) => (await tx.accounts.setPlan(accountId, 'standard'), 'done'))).toBe('done');
      expect((await account()).plan).toBe('standard');
    });

    it('shows the work its own writes, and readers none before the end', async () => {
      await write(async (tx) => {
        await tx.accounts.setPlan(accountId, 'standard');
        expect((await tx.accounts.find(accountId))!.plan).toBe('standard');
        expect((await account()).plan).toBe('pro');
      });
    });

    it('keeps nothing of work that throws, in any table, and rejects with what it threw', async () => {
      const refusal = new Error('a refusal');
      const failing = write(async (tx) => {
        await tx.accounts.setPlan(accountId, 'standard');
        await tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 });
        await tx.apiKeys.add(key, randomBytes(32));
        await tx.contents.add(content('content-1'));
        await tx.objects.put(object);
        await tx.reservations.hold({ id: 'r', accountId, sizeBytes: 10, blobId: 'b' }, 100);
        await tx.reservations.doom('b');
        await tx.activity.add(record, 5);
        await tx.limitWindows.save({ key: 'w', used: 1, endsAt: 1e15, blockedUntil: 0 });
        await tx.rules.replaceAll(accountId, [rule]);
        await tx.chunkedUploads.open(started, 1, 0);
        await tx.chunkedUploads.putPart(started.id, part(1), 5, 1e9);
        await tx.legacyImports.save({ accountId, key: 'a', sha256: 'f' });
        throw refusal;
      });
      await expect(failing).rejects.toBe(refusal);
      expect(await account()).toMatchObject({ plan: 'pro', usedBytes: 0, usedObjects: 0, reservedBytes: 0, revision: 0 });
      expect(await metadata.read.apiKeys.listOf(accountId)).toEqual([]);
      expect(await metadata.read.objects.find(object)).toBeUndefined();
      expect(await metadata.read.contents.find('content-1')).toBeUndefined();
      expect(await metadata.read.activity.scan({ accountId, limit: 10 })).toEqual([]);
      expect(await metadata.read.contents.doomedBlobs(10)).toEqual([]);
      expect(await write((tx) => tx.reservations.all())).toEqual([]);
      expect(await write((tx) => tx.limitWindows.takeLive(0))).toEqual([]);
      expect(await metadata.read.rules.listOf(accountId)).toEqual([]);
      expect(await metadata.read.chunkedUploads.find(started.id)).toBeUndefined();
      expect(await metadata.read.chunkedUploads.partsOf(started.id)).toEqual([]);
      expect(await metadata.read.legacyImports.find({ accountId, key: 'a' })).toBeUndefined();
      expect(opened.doomings()).toBe(0);
    });

    it('keeps the work of neighbours that were sent at the same time as one that fails', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, number) =>
          write(async (tx) => {
            await tx.accounts.addUsage(accountId, { bytes: 1, objects: 0 });
            if (number % 3 === 0) throw new Error('a refusal');
            // A row that cannot be: the account does not exist.
            if (number % 3 === 1) await tx.apiKeys.add({ ...key, id: `k${number}`, accountId: 'nobody' }, randomBytes(32));
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
      expect((await account()).usedBytes).toBe(6);
    });

    it('runs each piece of work alone', async () => {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          write(async (tx) => {
            const { usedBytes } = (await tx.accounts.find(accountId))!;
            await Promise.resolve();
            await tx.accounts.addUsage(accountId, { bytes: usedBytes + 1 - usedBytes, objects: usedBytes === 49 ? 1 : 0 });
          }),
        ),
      );
      expect(await account()).toMatchObject({ usedBytes: 50, usedObjects: 1, revision: 50 });
    });

    it('has one instant for the whole of a transaction', async () => {
      const [before, inside, after] = await write(async (tx) => {
        const first = tx.now;
        opened.clock.advance(1000);
        return [opened.clock.now() - 1000, first, tx.now];
      });
      expect([inside, after]).toEqual([before, before]);
    });

    it('refuses to be nested, and to wait for something other than rows', async () => {
      await expect(write(async (tx) => (await tx.accounts.setPlan(accountId, 'none'), metadata.atomically(async () => {})))).rejects.toThrow('atomically() inside atomically()');
      await expect(write(async (tx) => (await tx.accounts.setPlan(accountId, 'none'), sleep(20)))).rejects.toThrow();
      expect((await account()).plan).toBe('pro');
    });

    it('lets no work write when its transaction has ended', async () => {
      let late: Transaction | undefined;
      await write(async (tx) => void (late = tx));
      await expect(late!.accounts.setPlan(accountId, 'none')).rejects.toThrow('has ended');
    });
  });

  describe(`${name}: accounts`, () => {
    it('begin with nothing used, and are listed oldest first', async () => {
      const nothing = { quotaBytes: null, usedBytes: 0, usedObjects: 0, reservedBytes: 0, revision: 0 };
      const [first, second] = [{ id: accountId, name: 'first', plan: 'pro', createdAt: 2000, ...nothing }, { id: otherId, name: 'second', plan: 'hobby', createdAt: 1000, ...nothing }];
      expect(await account()).toEqual(first);
      expect(await metadata.read.accounts.list()).toEqual([second, first]);
      expect(await write((tx) => tx.accounts.list())).toEqual([second, first]);
      expect(await metadata.read.accounts.find('nobody')).toBeUndefined();
    });

    it('refuse an id twice', async () => {
      await expect(write((tx) => tx.accounts.add({ id: accountId, name: 'x', plan: 'pro', createdAt: 1 }))).rejects.toThrow();
      expect((await account()).name).toBe('first');
    });

    it('take every plan, and say whether there was such an account', async () => {
      for (const plan of plans) {
        expect(await write((tx) => tx.accounts.setPlan(accountId, plan))).toBe(true);
        expect((await account()).plan).toBe(plan);
      }
      expect(await write((tx) => tx.accounts.setPlan('nobody', 'pro'))).toBe(false);
      await expect(write((tx) => tx.accounts.setPlan(accountId, 'gold' as never))).rejects.toThrow();
    });

    it('take a quota of their own, from 0 to a petabyte, and give it up', async () => {
      for (const quotaBytes of [0, 2 ** 50, null]) {
        expect(await write((tx) => tx.accounts.setQuota(accountId, quotaBytes))).toBe(true);
        expect((await account()).quotaBytes).toBe(quotaBytes);
      }
      expect(await write((tx) => tx.accounts.setQuota('nobody', 1))).toBe(false);
    });

    it('add and take away usage, each time with a new revision, of one account only', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 2 ** 45, objects: 2 }));
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: -5, objects: -1 }));
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 0, objects: 0 }));
      expect(await account()).toMatchObject({ usedBytes: 2 ** 45 - 5, usedObjects: 1, revision: 3 });
      expect(await account(otherId)).toMatchObject({ usedBytes: 0, usedObjects: 0, revision: 0 });
    });

    it('keep, to the millisecond, how much was stored on each day of this month', async () => {
      const midnight = Math.floor(opened.clock.now() / 86_400_000) * 86_400_000;
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 2 ** 45, objects: 1 }));
      opened.clock.advance(midnight + 86_400_000 - opened.clock.now() + 1000);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: -(2 ** 45), objects: -1 }));
      opened.clock.advance(5000);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 7, objects: 1 }));
      const usage = (await metadata.read.accounts.usageOf(accountId))!;
      const stored = usage.days.filter(({ byteMs }) => byteMs > 0n);
      expect(usage).toMatchObject({ usedBytes: 7, usedObjects: 1, meteredFrom: 2000, settledAt: opened.clock.now() });
      expect(stored.map(({ day }) => day)).toEqual([midnight, midnight + 86_400_000]);
      expect(stored[1]!.byteMs).toBe(2n ** 45n * 1000n);
      expect(await metadata.read.accounts.usageOf('nobody')).toBeUndefined();
      expect(await metadata.read.accounts.usageOf(otherId)).toEqual({ usedBytes: 0, usedObjects: 0, meteredFrom: 1000, settledAt: 1000, days: [] });
    });

    it('forget the days of earlier months', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 }));
      opened.clock.advance(62 * 86_400_000);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 }));
      const month = new Date(opened.clock.now()).toISOString().slice(0, 7);
      const { days } = (await metadata.read.accounts.usageOf(accountId))!;
      expect(days.length).toBeGreaterThan(0);
      expect(days.filter(({ day }) => !new Date(day).toISOString().startsWith(month))).toEqual([]);
    });

    it('never use less than nothing: that is a fault', async () => {
      await expect(write((tx) => tx.accounts.addUsage(accountId, { bytes: -1, objects: 0 }))).rejects.toThrow();
      await expect(write((tx) => tx.accounts.addUsage(accountId, { bytes: 0, objects: -1 }))).rejects.toThrow();
      expect(await account()).toMatchObject({ usedBytes: 0, usedObjects: 0, revision: 0 });
    });
  });

  describe(`${name}: API keys`, () => {
    it('are found by hash and by id, as they were added', async () => {
      const full: ApiKey = { ...key, id: 'key-2', resources: ['app_1'], prefixes: null, expiresAt: null, lastUsedAt: 5, createdAt: 999 };
      const [hash, fullHash] = [randomBytes(32), randomBytes(32)];
      await write((tx) => tx.apiKeys.add(key, hash));
      await write((tx) => tx.apiKeys.add(full, fullHash));
      expect(await metadata.read.apiKeys.findByHash(hash)).toEqual(key);
      expect(await metadata.read.apiKeys.findByHash(new Uint8Array(fullHash))).toEqual(full);
      expect(await metadata.read.apiKeys.find('key-2')).toEqual(full);
      expect(await metadata.read.apiKeys.listOf(accountId)).toEqual([full, key]);
      expect(await metadata.read.apiKeys.listOf(otherId)).toEqual([]);
    });

    it('are not found by another hash, a part of one, or none', async () => {
      const hash = randomBytes(32);
      await write((tx) => tx.apiKeys.add(key, hash));
      for (const wrong of [randomBytes(32), hash.subarray(0, 31), Buffer.concat([hash, Buffer.alloc(1)]), Buffer.alloc(0)]) expect(await metadata.read.apiKeys.findByHash(wrong)).toBeUndefined();
      expect(await metadata.read.apiKeys.find('nothing')).toBeUndefined();
    });

    it('refuse a hash or an id twice, and an account that does not exist', async () => {
      const hash = randomBytes(32);
      await write((tx) => tx.apiKeys.add(key, hash));
      await expect(write((tx) => tx.apiKeys.add({ ...key, id: 'key-2' }, hash))).rejects.toThrow();
      await expect(write((tx) => tx.apiKeys.add(key, randomBytes(32)))).rejects.toThrow();
      await expect(write((tx) => tx.apiKeys.add({ ...key, id: 'key-3', accountId: 'nobody' }, randomBytes(32)))).rejects.toThrow();
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

    it('are listed while they live, to the millisecond, oldest first, of one account only', async () => {
      await write(async (tx) => {
        await tx.apiKeys.add(key, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-2', expiresAt: null, createdAt: 999 }, randomBytes(32));
        await tx.apiKeys.add({ ...key, id: 'key-3', accountId: otherId }, randomBytes(32));
      });
      const live = async (now: number) => (await metadata.read.apiKeys.liveOf(accountId, now)).map(({ id }) => id);
      expect([await live(8999), await live(9000)]).toEqual([['key-2', 'key-1'], ['key-2']]);
      await write((tx) => tx.apiKeys.revoke('key-2', 7000));
      expect([await live(8999), await live(9000)]).toEqual([['key-1'], []]);
      expect(await write((tx) => tx.apiKeys.liveOf(accountId, 8999))).toEqual([key]);
    });

    it('take a new secret, and are found by the old one no more', async () => {
      const [before, after, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
      await write((tx) => tx.apiKeys.add(key, before));
      await write((tx) => tx.apiKeys.add({ ...key, id: 'key-2' }, other));
      await write((tx) => tx.apiKeys.replaceSecret('key-1', { hash: after, last4: 'wxyz', s3Salt: 'SALT', s3Check: 'check' }));
      expect(await metadata.read.apiKeys.findByHash(before)).toBeUndefined();
      expect(await metadata.read.apiKeys.findByHash(after)).toEqual({ ...key, last4: 'wxyz', s3Salt: 'SALT', s3Check: 'check' });
      expect(await metadata.read.apiKeys.findByHash(other)).toEqual({ ...key, id: 'key-2' });
      expect((await metadata.read.apiKeys.findByS3Salt('SALT'))?.id).toBe('key-1');
      await expect(write((tx) => tx.apiKeys.replaceSecret('key-1', { hash: other, last4: 'wxyz', s3Salt: null, s3Check: null }))).rejects.toThrow();
    });

    it('keep the instant of the first revocation, and are still found', async () => {
      const hash = randomBytes(32);
      await write((tx) => tx.apiKeys.add(key, hash));
      await write((tx) => tx.apiKeys.revoke('key-1', 7000));
      await write((tx) => tx.apiKeys.revoke('key-1', 8000));
      await write((tx) => tx.apiKeys.revoke('nothing', 8000));
      expect(await metadata.read.apiKeys.findByHash(hash)).toEqual({ ...key, revokedAt: 7000 });
    });

    it('remember their last use', async () => {
      await write((tx) => tx.apiKeys.add(key, randomBytes(32)));
      await write((tx) => tx.apiKeys.noteUse('key-1', 4000));
      expect((await metadata.read.apiKeys.find('key-1'))!.lastUsedAt).toBe(4000);
    });
  });

  describe(`${name}: legacy imports`, () => {
    it('keep the last one of each key, and know no others', async () => {
      const first = { accountId, key: 'a/ä.png', sha256: 'f'.repeat(64) };
      const next = { ...first, sha256: '0'.repeat(64) };
      await write((tx) => tx.legacyImports.save(first));
      expect(await metadata.read.legacyImports.find(first)).toEqual(first);
      expect(await write(async (tx) => (await tx.legacyImports.save(next), tx.legacyImports.find(first)))).toEqual(next);
      expect(await metadata.read.legacyImports.find({ ...first, accountId: otherId })).toBeUndefined();
      expect(await metadata.read.legacyImports.find({ ...first, key: 'a' })).toBeUndefined();
    });
  });

  describe(`${name}: objects`, () => {
    const put = (...objects: StoredObject[]) =>
      write(async (tx) => {
        for (const one of objects) {
          if (!(await tx.contents.find(one.contentId))) await tx.contents.add(content(one.contentId));
          await tx.objects.put(one);
        }
      });

    it('are found at their address, as they were put, full or bare', async () => {
      const bare: StoredObject = { ...object, key: 'b', sha256: null, expiresAt: null, cacheControl: null, disposition: null, originalName: null, metadata: {}, s3: null, ending: { hash: null, mark: null, extension: '' } };
      await put(object, bare);
      expect(await metadata.read.objects.find(object)).toEqual(object);
      expect(await metadata.read.objects.find(bare)).toEqual(bare);
      expect(await write((tx) => tx.objects.find(object))).toEqual(object);
    });

    it('are found nowhere else', async () => {
      await put(object);
      for (const change of [{ key: 'A.png' }, { key: 'a.png ' }, { key: 'a.png\u0000' }, { key: 'a' }, { space: 'private' as const }, { space: 'legacy' as const }, { accountId: otherId }]) {
        expect(await metadata.read.objects.find({ ...object, ...change }), JSON.stringify(change)).toBeUndefined();
      }
    });

    it('keep the keys of one letter apart that Unicode writes in two ways', async () => {
      await put({ ...object, key: '\u00e9' }, { ...object, key: 'e\u0301', etag: 'other' });
      expect((await metadata.read.objects.find({ ...object, key: '\u00e9' }))!.etag).toBe('e');
    });

    it('take the place of one at the same address, whole', async () => {
      const next: StoredObject = { ...object, contentId: 'content-2', sizeBytes: 9, etag: 'f', sha256: null, expiresAt: null, disposition: null, originalName: null, metadata: {} };
      await put(object, next);
      expect(await metadata.read.objects.find(object)).toEqual(next);
      expect(await metadata.read.objects.scan({ accountId, space: 'public', prefix: '', limit: 10 })).toEqual([next]);
    });

    it('need a content and an account', async () => {
      await expect(write((tx) => tx.objects.put(object))).rejects.toThrow();
      await expect(put({ ...object, accountId: 'nobody' })).rejects.toThrow();
    });

    it('are removed once, and the row is answered', async () => {
      const other = { ...object, space: 'private' as const };
      await put(object, other);
      expect(await write((tx) => tx.objects.remove(object))).toEqual(object);
      expect(await write((tx) => tx.objects.remove(object))).toBeUndefined();
      expect(await metadata.read.objects.find(other)).toEqual(other);
    });

    it('are scanned in the order of the bytes of their keys, from anywhere, as a simple model has it', async () => {
      const letters = fc.constantFrom('a', 'b', '/', '0', '.', '\u007f', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}');
      const text = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(''));
      const rows = fc.uniqueArray(fc.record({ space: fc.constantFrom<Space>(...spaces), key: text.filter((one) => one !== '') }), { maxLength: 25, selector: (one) => one.space + one.key });
      const starts = fc.oneof(fc.constant(undefined), text.map((at) => ({ at })), text.map((behind) => ({ behind })));
      const bytes = (one: string) => Buffer.from(one);
      await fc.assert(
        fc.asyncProperty(rows, fc.constantFrom<Space>(...spaces), text, starts, fc.integer({ min: 1, max: 30 }), async (some, space, prefix, from, limit) => {
          await write(async (tx) => {
            for (const where of spaces) for (const { key: old } of await tx.objects.scan({ accountId, space: where, prefix: '', limit: 100 })) await tx.objects.remove({ accountId, space: where, key: old });
          });
          await put(...some.map((one) => ({ ...object, ...one })));
          const expected = some
            .filter((one) => one.space === space && one.key.startsWith(prefix))
            .map((one) => one.key)
            .sort((a, b) => Buffer.compare(bytes(a), bytes(b)))
            .filter((one) => !from || ('at' in from ? Buffer.compare(bytes(one), bytes(from.at)) >= 0 : Buffer.compare(bytes(one), bytes(from.behind)) > 0))
            .slice(0, limit);
          const scan: ObjectScan = { accountId, space, prefix, limit, ...(from && { from }) };
          expect((await metadata.read.objects.scan(scan)).map((one) => one.key)).toEqual(expected);
        }),
        { numRuns: 120 },
      );
    });

    it('take prefixes as they are: no character stands for another', async () => {
      await put(...['a%b', 'a_b', 'axb', 'a*b', 'a[b', 'A%b'].map((one) => ({ ...object, key: one })));
      const scan = async (prefix: string) => (await metadata.read.objects.scan({ accountId, space: 'public', prefix, limit: 10 })).map((one) => one.key);
      for (const prefix of ['a%', 'a_', 'a*', 'a[', 'A']) expect(await scan(prefix), prefix).toHaveLength(1);
      expect(await scan("a' OR 1=1 --")).toEqual([]);
    });

    it('are found once they have expired, of all accounts, the first at first, so many as asked for', async () => {
      const expiring = (key: string, expiresAt: number | null, change: Partial<StoredObject> = {}) => ({ ...object, key, expiresAt, ...change });
      await put(expiring('a', 30), expiring('b', 10, { accountId: otherId, space: 'private' }), expiring('c', 20, { space: 'legacy' }), expiring('d', null));
      const keys = async (now: number, limit: number) => (await metadata.read.objects.expired(now, limit)).map(({ key }) => key);
      expect([await keys(9, 10), await keys(10, 10), await keys(29, 10), await keys(30, 10)]).toEqual([[], ['b'], ['b', 'c'], ['b', 'c', 'a']]);
      expect(await keys(30, 2)).toEqual(['b', 'c']);
      expect(await metadata.read.objects.expired(10, 1)).toEqual([{ accountId: otherId, space: 'private', key: 'b' }]);
    });

    it('are scanned by age over all spaces, between two instants, in steps that leave none out', async () => {
      const written = (key: string, createdAt: number, space: Space = 'public') => ({ ...object, key, createdAt, space });
      const files = [written('z', 1), written('b', 2), written('c', 2), written('ä', 2), written('a', 2, 'private'), written('a', 2, 'legacy'), written('y', 3), written('x', -5)];
      await put(...files, { ...written('b', 2), accountId: otherId });
      const named = (found: ReadonlyArray<{ readonly space: Space; readonly key: string }>) => found.map(({ space, key }) => `${space} ${key}`);
      const all = { accountId, after: undefined, until: 10, behind: undefined, limit: 100 };
      const inOrder = ['public x', 'public z', 'public b', 'public c', 'public ä', 'private a', 'legacy a', 'public y'];
      expect(named(await metadata.read.objects.scanByAge(all))).toEqual(inOrder);
      expect(await metadata.read.objects.scanByAge({ ...all, limit: 1 })).toEqual([{ accountId, space: 'public', key: 'x', createdAt: -5 }]);
      expect(named(await metadata.read.objects.scanByAge({ ...all, after: 1, until: 2 }))).toEqual(inOrder.slice(2, 7));
      expect(named(await metadata.read.objects.scanByAge({ ...all, after: 2, until: 2 }))).toEqual([]);
      for (const limit of [1, 2, 3]) {
        const walked: string[] = [];
        let step = await metadata.read.objects.scanByAge({ ...all, limit });
        while (step.length > 0) {
          walked.push(...named(step));
          step = await metadata.read.objects.scanByAge({ ...all, behind: step.at(-1), limit });
        }
        expect(walked).toEqual(inOrder);
      }
    });

    it('are scanned within one account', async () => {
      await put(object, { ...object, accountId: otherId });
      expect(await metadata.read.objects.scan({ accountId: otherId, space: 'public', prefix: '', limit: 10 })).toEqual([{ ...object, accountId: otherId }]);
    });
  });

  describe(`${name}: activity`, () => {
    const add = (...records: ActivityRecord[]) => write(async (tx) => {
      for (const one of records) await tx.activity.add(one, 5000);
    });
    const sequences = async (of = accountId, before?: number, limit = 10) =>
      (await metadata.read.activity.scan({ accountId: of, limit, ...(before !== undefined && { before }) })).map(({ sequence }) => sequence);

    it('is kept as it was added, full or bare, newest first', async () => {
      const bare: ActivityRecord = { ...record, type: 'key.revoked', object: null, details: {}, actor: { sourceIp: null, userAgent: null, auth: 'system' } };
      expect(await write((tx) => tx.activity.add(record, 5000))).toBe(1);
      expect(await write((tx) => tx.activity.add(bare, 4000))).toBe(2);
      const entries = [{ ...bare, sequence: 2, at: 4000 }, { ...record, sequence: 1, at: 5000 }];
      expect(await metadata.read.activity.scan({ accountId, limit: 10 })).toEqual(entries);
      expect(await write((tx) => tx.activity.scan({ accountId, limit: 10 }))).toEqual(entries);
    });

    it('counts within one account, without a gap, also when much comes at once', async () => {
      await add({ ...record, accountId: otherId, object: null });
      await Promise.all(Array.from({ length: 20 }, () => add(record)));
      expect(await sequences(accountId, undefined, 100)).toEqual(Array.from({ length: 20 }, (_, at) => 20 - at));
      expect(await sequences(otherId)).toEqual([1]);
    });

    it('is scanned from anywhere, up to the limit', async () => {
      await add(record, record, record, record, record);
      expect(await sequences(accountId, undefined, 2)).toEqual([5, 4]);
      expect(await sequences(accountId, 4, 2)).toEqual([3, 2]);
      expect(await sequences(accountId, 1)).toEqual([]);
      expect(await sequences(accountId, 100)).toEqual([5, 4, 3, 2, 1]);
      expect(await sequences('nobody')).toEqual([]);
    });

    it('belongs to an account that there is', async () => {
      await expect(add({ ...record, accountId: 'nobody', object: null })).rejects.toThrow();
    });

    it('is removed entry by entry, of one account, and its sequence is given to none again', async () => {
      await add(record, record, { ...record, accountId: otherId, object: null });
      await write((tx) => tx.activity.remove(accountId, 2));
      await write((tx) => tx.activity.remove(accountId, 7));
      expect([await sequences(), await sequences(otherId)]).toEqual([[1], [1]]);
      expect(await write((tx) => tx.activity.add(record, 5000))).toBe(3);
    });

    it('is forgotten, the oldest first, up to the limit, in every account, and its sequence is given to none again', async () => {
      await write(async (tx) => {
        for (const at of [3000, 1000, 2000, 4000]) await tx.activity.add(record, at);
        await tx.activity.add({ ...record, accountId: otherId, object: null }, 2500);
      });
      const forget = (at: number, limit: number) => write((tx) => tx.activity.forgetBefore(at, limit));
      expect(await forget(1000, 10)).toBe(0);
      expect(await forget(4000, 2)).toBe(2);
      expect(await sequences()).toEqual([4, 1]);
      expect(await forget(4000, 10)).toBe(2);
      expect([await sequences(), await sequences(otherId)]).toEqual([[4], []]);
      expect(await forget(9000, 10)).toBe(1);
      expect(await write((tx) => tx.activity.add(record, 5000))).toBe(5);
    });
  });

  describe(`${name}: contents`, () => {
    const blobs = [
      { blobId: 'b-2', sizeBytes: 5, inline: null },
      { blobId: 'b-1', sizeBytes: 3, inline: new Uint8Array([0, 255, 7]) },
      { blobId: 'b-3', sizeBytes: 2 ** 40, inline: null },
    ];

    it('are found with their blobs in order, inline bytes as they are', async () => {
      await write((tx) => tx.contents.add(content('content-1', blobs)));
      expect(await metadata.read.contents.find('content-1')).toEqual(content('content-1', blobs));
      expect(await write((tx) => tx.contents.find('content-1'))).toEqual(content('content-1', blobs));
      expect(await metadata.read.contents.find('nothing')).toBeUndefined();
    });

    it('keep a blob without bytes inline, and do not take it for one in the store', async () => {
      await write((tx) => tx.contents.add(content('empty', [{ blobId: 'b', sizeBytes: 0, inline: new Uint8Array(0) }])));
      expect(await metadata.read.contents.find('empty')).toEqual(content('empty', [{ blobId: 'b', sizeBytes: 0, inline: new Uint8Array(0) }]));
      await write((tx) => tx.contents.release('empty'));
      expect(await metadata.read.contents.doomedBlobs(10)).toEqual([]);
    });

    it('doom their blobs, but not inline bytes, when the last row lets go', async () => {
      await write((tx) => tx.contents.add(content('content-1', blobs)));
      await write((tx) => tx.contents.release('content-1'));
      expect(await metadata.read.contents.find('content-1')).toBeUndefined();
      expect((await metadata.read.contents.doomedBlobs(10)).sort()).toEqual(['b-2', 'b-3']);
      expect(opened.doomings()).toBe(1);
    });

    it('tell nobody when there are no blobs to remove, and take a second release for nothing', async () => {
      await write((tx) => tx.contents.add(content('content-1', [blobs[1]!])));
      await write((tx) => tx.contents.release('content-1'));
      await write((tx) => tx.contents.release('content-1'));
      expect(opened.doomings()).toBe(0);
    });

    it('are not let go while a row points to them: that is a fault', async () => {
      await write(async (tx) => {
        await tx.contents.add(content('content-1'));
        await tx.objects.put(object);
      });
      await expect(write((tx) => tx.contents.release('content-1'))).rejects.toThrow();
      expect(await metadata.read.contents.find('content-1')).toBeDefined();
    });

    it('give so many doomed blobs as asked for, and forget those that are named', async () => {
      const many = Array.from({ length: 7 }, (_, number) => `b-${number}`);
      await write(async (tx) => {
        for (const blobId of many) await tx.reservations.doom(blobId);
        await tx.reservations.doom('b-0');
      });
      expect(await metadata.read.contents.doomedBlobs(3)).toHaveLength(3);
      await write((tx) => tx.contents.forgetDoomed([...many.slice(0, 6), 'nothing']));
      expect(await metadata.read.contents.doomedBlobs(10)).toEqual(['b-6']);
    });

    it('refuse an id twice', async () => {
      await write((tx) => tx.contents.add(content('content-1')));
      await expect(write((tx) => tx.contents.add(content('content-1')))).rejects.toThrow();
    });
  });

  describe(`${name}: reservations`, () => {
    const hold = (id: string, sizeBytes: number, quotaBytes: number, of = accountId) => write((tx) => tx.reservations.hold({ id, accountId: of, sizeBytes, blobId: `${id}-blob` }, quotaBytes));

    it('hold up to the last byte beside what is used and held, and change nothing where that is passed', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 10, objects: 1 }));
      expect(await hold('r1', 20, 100)).toBe(true);
      expect(await hold('r2', 71, 100)).toBe(false);
      expect(await hold('r3', 70, 100)).toBe(true);
      expect(await hold('r4', 1, 100)).toBe(false);
      expect(await account()).toMatchObject({ reservedBytes: 90, usedBytes: 10 });
      const all = await write((tx) => tx.reservations.all());
      expect(all.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        { id: 'r1', accountId, sizeBytes: 20, blobId: 'r1-blob' },
        { id: 'r3', accountId, sizeBytes: 70, blobId: 'r3-blob' },
      ]);
    });

    it('hold nothing for an account that does not exist', async () => {
      expect(await hold('r', 1, 100, 'nobody')).toBe(false);
    });

    it('grow up to the last byte, and not by one more', async () => {
      await hold('r', 10, 100);
      const extend = (byBytes: number, id = 'r') => write((tx) => tx.reservations.extend(id, byBytes, 100));
      expect(await extend(91)).toBe(false);
      expect((await account()).reservedBytes).toBe(10);
      expect(await extend(90)).toBe(true);
      expect(await extend(1)).toBe(false);
      expect(await extend(1, 'nothing')).toBe(false);
      expect((await write((tx) => tx.reservations.all()))[0]).toMatchObject({ sizeBytes: 100 });
    });

    it('give back what they hold, once', async () => {
      await hold('r1', 10, 100);
      await hold('r2', 5, 100);
      await write((tx) => tx.reservations.extend('r1', 7, 100));
      await write((tx) => tx.reservations.release('r1'));
      await write((tx) => tx.reservations.release('r1'));
      expect((await account()).reservedBytes).toBe(5);
      expect(await write((tx) => tx.reservations.all())).toHaveLength(1);
    });

    it('never pass the quota together, whoever comes at once', async () => {
      const held = await Promise.all(Array.from({ length: 40 }, (_, number) => hold(`r${number}`, 7, 100)));
      expect(held.filter(Boolean)).toHaveLength(14);
      const grown = await Promise.all(Array.from({ length: 10 }, () => write((tx) => tx.reservations.extend('r0', 1, 100))));
      expect(grown.filter(Boolean)).toHaveLength(2);
      expect((await account()).reservedBytes).toBe(100);
    });

    it('tell of a doomed blob after the commit', async () => {
      await write(async (tx) => {
        await tx.reservations.doom('b');
        expect(opened.doomings()).toBe(0);
      });
      expect(opened.doomings()).toBe(1);
      expect(await metadata.read.contents.doomedBlobs(10)).toEqual(['b']);
    });
  });

  describe(`${name}: rules`, () => {
    const replace = (rules: readonly Rule[], of = accountId) => write((tx) => tx.rules.replaceAll(of, rules));

    it('are listed by prefix, as they were saved, full or bare, of one account', async () => {
      await replace([rule, bareRule, { ...bareRule, prefix: 'B/', isPrivate: false }]);
      await replace([{ ...bareRule, prefix: 'other/' }], otherId);
      const saved = [{ ...bareRule, prefix: 'B/', isPrivate: false }, bareRule, rule];
      expect(await metadata.read.rules.listOf(accountId)).toEqual(saved);
      expect(await write((tx) => tx.rules.listOf(accountId))).toEqual(saved);
      expect(await metadata.read.rules.listOf('nobody')).toEqual([]);
    });

    it('take the place of all that were there, and of no other account', async () => {
      await replace([rule, bareRule]);
      await replace([rule], otherId);
      await replace([{ ...bareRule, prefix: 'next/' }]);
      expect(await metadata.read.rules.listOf(accountId)).toEqual([{ ...bareRule, prefix: 'next/' }]);
      await replace([]);
      expect(await metadata.read.rules.listOf(accountId)).toEqual([]);
      expect(await metadata.read.rules.listOf(otherId)).toEqual([rule]);
    });

    it('refuse a prefix twice, and an account that does not exist, and keep what was there', async () => {
      await replace([rule]);
      await expect(replace([bareRule, bareRule])).rejects.toThrow();
      await expect(replace([bareRule], 'nobody')).rejects.toThrow();
      expect(await metadata.read.rules.listOf(accountId)).toEqual([rule]);
    });

    it('keep how far each has swept until they are saved again', async () => {
      await replace([rule, bareRule]);
      await replace([rule], otherId);
      expect(await metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBeUndefined();
      await write((tx) => tx.rules.noteSwept(accountId, rule.prefix, 0));
      expect(await metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBe(0);
      await write((tx) => tx.rules.noteSwept(accountId, rule.prefix, 1_776_763_800_123));
      expect(await metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBe(1_776_763_800_123);
      expect(await write((tx) => tx.rules.sweptUntil(accountId, rule.prefix))).toBe(1_776_763_800_123);
      expect(await metadata.read.rules.sweptUntil(accountId, bareRule.prefix)).toBeUndefined();
      expect(await metadata.read.rules.sweptUntil(otherId, rule.prefix)).toBeUndefined();
      expect(await metadata.read.rules.sweptUntil(accountId, 'nowhere/')).toBeUndefined();
      expect(await metadata.read.rules.listOf(accountId)).toEqual([bareRule, rule]);
      await replace([rule, bareRule]);
      expect(await metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBeUndefined();
    });

    it('name each account once that has one with automatic deletion', async () => {
      expect(await metadata.read.rules.accountsThatDelete()).toEqual([]);
      await replace([rule, { ...rule, prefix: 'b/' }, bareRule]);
      await replace([bareRule], otherId);
      expect(await metadata.read.rules.accountsThatDelete()).toEqual([accountId]);
      await replace([rule], otherId);
      expect(await metadata.read.rules.accountsThatDelete()).toEqual([accountId, otherId].sort());
    });
  });

  describe(`${name}: upload tokens`, () => {
    const hash = randomBytes(32);
    const bare: UploadToken = { ...token, id: 'token-2', keyId: 'key-2', pins: {}, expiresAt: 500_000, maxUses: 1, usesLeft: 1 };
    beforeEach(() => write(async (tx) => {
      await tx.apiKeys.add(key, randomBytes(32));
      await tx.apiKeys.add({ ...key, id: 'key-2' }, randomBytes(32));
      await tx.uploadTokens.add(token, hash);
      await tx.uploadTokens.add(bare, randomBytes(32));
    }));
    const find = async (id = token.id) => metadata.read.uploadTokens.find(id);
    const uses = async () => (await find())!.usesLeft;

    it('are found as they were added, by the hash of their secret and by their id', async () => {
      expect([await metadata.read.uploadTokens.findByHash(hash), await find(), await find(bare.id)]).toEqual([token, token, bare]);
      expect([await metadata.read.uploadTokens.findByHash(randomBytes(32)), await find('none')]).toEqual([undefined, undefined]);
      expect(await write(async (tx) => [await tx.uploadTokens.findByHash(hash), await tx.uploadTokens.find(bare.id)])).toEqual([token, bare]);
    });

    it('spend their uses and no more, in parallel too', async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) => write((tx) => (at % 2 ? tx.uploadTokens.spend(token.id) : tx.uploadTokens.hold(token.id)))));
      expect(outcomes.filter(Boolean)).toHaveLength(3);
      expect(await uses()).toBe(0);
      expect(await write((tx) => tx.uploadTokens.spend('none'))).toBe(false);
      expect(await write((tx) => tx.uploadTokens.hold('none'))).toBe(false);
    });

    it('give back what was held and not kept', async () => {
      for (let use = 0; use < 3; use++) await write((tx) => tx.uploadTokens.hold(token.id));
      await write((tx) => tx.uploadTokens.keepHeld(token.id));
      await write((tx) => tx.uploadTokens.giveBackHeld(token.id));
      expect(await uses()).toBe(1);
      expect(await write((tx) => tx.uploadTokens.giveBackAllHeld())).toBe(1);
      expect(await uses()).toBe(2);
    });

    it('give back nothing that was not held', async () => {
      await write((tx) => tx.uploadTokens.spend(token.id));
      await write((tx) => tx.uploadTokens.giveBackHeld(token.id));
      expect(await write((tx) => tx.uploadTokens.giveBackAllHeld())).toBe(0);
      expect(await uses()).toBe(2);
    });

    it('end with the secret of their key, once, and with no other', async () => {
      await write((tx) => tx.uploadTokens.endThoseOf('key-1', 7));
      await write((tx) => tx.uploadTokens.endThoseOf('key-1', 8));
      expect([await find(), await find(bare.id)]).toEqual([{ ...token, endedAt: 7 }, bare]);
    });

    it('are forgotten once they expired before an instant, a few at a time', async () => {
      const forget = (instant: number, limit = 10) => write((tx) => tx.uploadTokens.forgetExpiredBefore(instant, limit));
      expect(await forget(bare.expiresAt)).toBe(0);
      expect(await forget(bare.expiresAt + 1)).toBe(1);
      expect([await find(bare.id), await find()]).toEqual([undefined, token]);
      expect([await forget(1e15, 0), await forget(1e15, 1), await forget(1e15, 1)]).toEqual([0, 1, 0]);
    });
  });

  describe(`${name}: chunked uploads`, () => {
    const open = (upload: NewChunkedUpload = started, maxOpen = 32, idleBefore = 0) => write((tx) => tx.chunkedUploads.open(upload, maxOpen, idleBefore));
    const put = (stored: NewPart, { id = started.id, at = 2000, maxBytes = 1e9 } = {}) => write((tx) => tx.chunkedUploads.putPart(id, stored, at, maxBytes));
    const find = (id = started.id) => metadata.read.chunkedUploads.find(id);
    const partsOf = (id = started.id) => metadata.read.chunkedUploads.partsOf(id);
    const fresh = (upload: NewChunkedUpload): ChunkedUpload => ({ ...upload, state: 'open', activeAt: upload.startedAt, closedAt: null, revision: 0, storedBytes: 0, outcome: null });
    const doomed = async () => (await metadata.read.contents.doomedBlobs(10)).sort();

    it('come back as they were opened', async () => {
      expect([await open(), await open(bareStarted)]).toEqual([true, true]);
      expect([await find(), await find('upload-2'), await find('none')]).toEqual([fresh(started), fresh(bareStarted), undefined]);
      expect(await write((tx) => tx.chunkedUploads.find(started.id))).toEqual(fresh(started));
    });

    it('open no more than the limit, however many come at once, and count neither idle ones nor closed ones nor those of others', async () => {
      await open({ ...bareStarted, id: 'others', accountId: otherId, plan: { ...bareStarted.plan, address: { ...bareStarted.plan.address, accountId: otherId } } });
      await open({ ...started, id: 'idle', startedAt: 5 }, 32, 0);
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, number) => open({ ...started, id: `u${number}` }, 3, 5)));
      expect(outcomes.filter(Boolean)).toHaveLength(3);
      expect((await metadata.read.chunkedUploads.openOf(accountId, 5)).map(({ id }) => id)).toEqual(['u0', 'u1', 'u2']);
      await write((tx) => tx.chunkedUploads.abort('u1', 3000));
      expect([await open({ ...started, id: 'next', startedAt: 900 }, 3, 5), await open({ ...started, id: 'over' }, 3, 5)]).toEqual([true, false]);
      expect((await metadata.read.chunkedUploads.openOf(accountId, 5)).map(({ id }) => id)).toEqual(['next', 'u0', 'u2']);
      expect(await find('over')).toBeUndefined();
    });

    it('keep parts by number, with the sequence in which they came; one replaces another, whose blob is doomed', async () => {
      await open();
      const small = part(3, 5, Buffer.from('inner'));
      expect([await put(part(2)), await put(part(1)), await put(small)]).toEqual([1, 2, 3]);
      expect(await put(part(2, 30_000), { at: 2500 })).toBe(4);
      const expected = [{ ...part(1), sequence: 2, receivedAt: 2000 }, { ...part(2, 30_000), sequence: 4, receivedAt: 2500 }, { ...small, sequence: 3, receivedAt: 2000, blob: { ...small.blob, inline: new Uint8Array(small.blob.inline!) } }];
      expect(await partsOf()).toEqual(expected);
      expect([await metadata.read.chunkedUploads.part(started.id, 2), await metadata.read.chunkedUploads.part(started.id, 4)]).toEqual([expected[1], undefined]);
      expect(await find()).toMatchObject({ revision: 4, storedBytes: 50_005, activeAt: 2500, startedAt: 1000 });
      expect([await doomed(), opened.doomings()]).toEqual([['part-2-20000'], 1]);
      await put(part(3, 9));
      expect(await doomed()).toEqual(['part-2-20000']);
    });

    it('never grow beyond what is allowed, also with parts side by side', async () => {
      await open();
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, at) => put(part(at + 1), { maxBytes: 69_999 })));
      expect(outcomes.filter((sequence) => sequence !== undefined)).toEqual([1, 2, 3]);
      expect((await find())!.storedBytes).toBe(60_000);
      expect(await put(part(1, 29_999), { maxBytes: 69_999 })).toBe(4);
      expect(await put(part(1, 30_000), { maxBytes: 69_999 })).toBeUndefined();
      expect(await metadata.read.chunkedUploads.part(started.id, 1)).toMatchObject({ blob: { sizeBytes: 29_999 } });
      expect(await doomed()).toEqual(['part-1-20000']);
    });

    it('are completed with their answer; their blobs are left to whoever took them', async () => {
      await open();
      await put(part(1));
      const outcome = { sizeBytes: 20_000, parts: 1, sha256: null, expiresAt: 7 };
      await write((tx) => tx.chunkedUploads.complete(started.id, outcome, 3000));
      expect(await find()).toMatchObject({ state: 'completed', closedAt: 3000, storedBytes: 0, outcome });
      expect([await partsOf(), await doomed(), opened.doomings()]).toEqual([[], [], 0]);
    });

    it('doom their blobs when they are aborted, and no other', async () => {
      await open();
      await open(bareStarted);
      await put(part(1));
      await put(part(2, 5, Buffer.from('inner')));
      await put(part(9), { id: 'upload-2' });
      await write((tx) => tx.chunkedUploads.abort(started.id, 3000));
      expect(await find()).toMatchObject({ state: 'aborted', closedAt: 3000, storedBytes: 0, outcome: null });
      expect([await partsOf(), await doomed(), opened.doomings()]).toEqual([[], ['part-1-20000'], 1]);
      expect(await partsOf('upload-2')).toHaveLength(1);
    });

    it('are found once they are idle, those that are so for longest first', async () => {
      for (const [id, startedAt] of [['c', 30], ['a', 10], ['b', 20], ['closed', 5]] as const) await open({ ...started, id, startedAt });
      await write((tx) => tx.chunkedUploads.abort('closed', 6));
      expect(await metadata.read.chunkedUploads.idle(20, 10)).toEqual(['a', 'b']);
      expect(await metadata.read.chunkedUploads.idle(1000, 2)).toEqual(['a', 'b']);
      await write((tx) => tx.chunkedUploads.keepOpen('closed', 2000));
      expect(await find('closed')).toMatchObject({ state: 'aborted', closedAt: 6 });
      await put(part(1), { id: 'a', at: 500 });
      expect(await metadata.read.chunkedUploads.idle(100, 10)).toEqual(['b', 'c']);
      await write((tx) => tx.chunkedUploads.keepOpen('b', 400));
      expect(await metadata.read.chunkedUploads.idle(400, 10)).toEqual(['c', 'b']);
    });

    it('are forgotten once they were closed up to an instant, a few at a time', async () => {
      for (const id of ['a', 'b', 'open']) await open({ ...started, id });
      await write((tx) => tx.chunkedUploads.abort('a', 3000));
      await write((tx) => tx.chunkedUploads.complete('b', { sizeBytes: 1, parts: 1, sha256: null, expiresAt: null }, 3001));
      const forget = (instant: number, limit = 10) => write((tx) => tx.chunkedUploads.forgetClosed(instant, limit));
      expect([await forget(2999), await forget(3000), await forget(1e15, 0), await forget(1e15)]).toEqual([0, 1, 0, 1]);
      expect([await find('a'), await find('b'), (await find('open'))?.state]).toEqual([undefined, undefined, 'open']);
    });
  });

  describe(`${name}: reserved bytes of an account`, () => {
    it('never pass the quota together, beside what is used', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 50, objects: 1 }));
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => write((tx) => tx.accounts.hold(accountId, 10, 85))));
      expect(outcomes.filter(Boolean)).toHaveLength(3);
      expect(await account()).toMatchObject({ usedBytes: 50, reservedBytes: 30 });
      await write((tx) => tx.accounts.giveBack(accountId, 30));
      expect(await account()).toMatchObject({ reservedBytes: 0 });
      expect(await write((tx) => tx.accounts.hold('none', 1, 100))).toBe(false);
    });
  });

  describe(`${name}: files without a SHA-256`, () => {
    it('are found by content, once each, and get it in all their rows', async () => {
      for (const id of ['c-1', 'c-2', 'c-3']) await write((tx) => tx.contents.add(content(id)));
      const rows = [['a', 'c-2', null], ['b', 'c-2', null], ['c', 'c-1', null], ['d', 'c-3', object.sha256]] as const;
      for (const [key, contentId, sha256] of rows) await write((tx) => tx.objects.put({ ...object, key, contentId, sha256 }));
      const { objects } = metadata.read;
      expect([await objects.unhashed('', 10), await objects.unhashed('', 1), await objects.unhashed('c-1', 10)]).toEqual([['c-1', 'c-2'], ['c-1'], ['c-2']]);
      await write((tx) => tx.objects.setSha256('c-2', 'e'.repeat(64)));
      expect(await objects.unhashed('', 10)).toEqual(['c-1']);
      const hashes = await Promise.all(rows.map(async ([key]) => (await objects.find({ ...object, key }))!.sha256));
      expect(hashes).toEqual(['e'.repeat(64), 'e'.repeat(64), null, object.sha256]);
    });
  });

  describe(`${name}: the jump of the clock`, () => {
    it('is kept until it is cleared, the last one in the place of others', async () => {
      expect(await metadata.read.clockJump.find()).toBeUndefined();
      await write((tx) => tx.clockJump.save({ noticedAt: 5, byMs: 90_000_000 }));
      await write((tx) => tx.clockJump.save({ noticedAt: 6, byMs: -90_000_000 }));
      expect(await metadata.read.clockJump.find()).toEqual({ noticedAt: 6, byMs: -90_000_000 });
      expect(await write((tx) => tx.clockJump.clear())).toBe(true);
      expect(await write((tx) => tx.clockJump.clear())).toBe(false);
      expect(await write((tx) => tx.clockJump.find())).toBeUndefined();
    });
  });

  describe(`${name}: sessions`, () => {
    const session = { hash: Buffer.from('hash'), keyHash: Buffer.from('key'), expiresAt: 5000, wrongCodes: 0 };
    const bytes = (found: typeof session | undefined | { hash: Uint8Array; keyHash: Uint8Array; expiresAt: number; wrongCodes: number }) =>
      found && { ...found, hash: Buffer.from(found.hash), keyHash: Buffer.from(found.keyHash) };

    it('are kept, read and removed, which may be done twice', async () => {
      await write((tx) => tx.sessions.add(session));
      expect(bytes(await metadata.read.sessions.find(session.hash))).toEqual(session);
      expect(bytes(await write((tx) => tx.sessions.find(session.hash)))).toEqual(session);
      expect(await metadata.read.sessions.find(session.keyHash)).toBeUndefined();
      await write((tx) => tx.sessions.remove(session.hash));
      await write((tx) => tx.sessions.remove(session.hash));
      expect(await metadata.read.sessions.find(session.hash)).toBeUndefined();
    });

    it('count wrong codes exactly, and none of a session that is gone', async () => {
      await write((tx) => tx.sessions.add(session));
      const counts = await Promise.all(Array.from({ length: 8 }, () => write((tx) => tx.sessions.countWrongCode(session.hash))));
      expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await write((tx) => tx.sessions.countWrongCode(Buffer.from('none')))).toBe(0);
    });

    it('are forgotten once they are over, up to so many at once', async () => {
      for (const [index, expiresAt] of [1000, 2000, 3000].entries()) await write((tx) => tx.sessions.add({ ...session, hash: Buffer.from([index]), expiresAt }));
      expect(await write((tx) => tx.sessions.forgetBefore(2000, 1))).toBe(1);
      expect(await metadata.read.sessions.find(Buffer.from([0]))).toBeUndefined();
      expect(await write((tx) => tx.sessions.forgetBefore(2000, 5))).toBe(1);
      expect(await write((tx) => tx.sessions.forgetBefore(2999, 5))).toBe(0);
      expect(await metadata.read.sessions.find(Buffer.from([2]))).toBeDefined();
    });
  });

  describe(`${name}: requests for keys`, () => {
    const request: DeviceRequest = { clientName: 'CLI ☁', scopes: ['blob:read', 'ai:chat'], sourceIp: '2001:db8::1', state: 'pending', decision: null, createdAt: 1000, expiresAt: 5000 };
    const hashes = { deviceCode: Buffer.from('device'), userCode: Buffer.from('user'), intervalMs: 500 };
    const decision: DeviceDecision = { accountId, keyId: key.id, actor: { sourceIp: '203.0.113.7', userAgent: 'Browser/1', auth: 'api_key' } };
    const add = (more: Partial<typeof hashes> = {}, of: Partial<DeviceRequest> = {}) => write((tx) => tx.deviceRequests.add({ ...request, ...of }, { ...hashes, ...more }));
    const find = () => write((tx) => tx.deviceRequests.findByDeviceCode(hashes.deviceCode));
    const decide = (event: 'approve' | 'refuse', now = 4999) => write((tx) => tx.deviceRequests.decide(hashes.userCode, event, decision, now));

    beforeEach(() => write((tx) => tx.apiKeys.add(key, randomBytes(32))));

    it('are found by their codes, and by the user code only while they wait', async () => {
      expect(await add()).toBe(true);
      expect(await find()).toEqual(request);
      expect(await write((tx) => tx.deviceRequests.findByDeviceCode(hashes.userCode))).toBeUndefined();
      const pending = (now: number, hash = hashes.userCode) => write((tx) => tx.deviceRequests.findPending(hash, now));
      expect(await pending(4999)).toEqual(request);
      expect(await pending(5000)).toBeUndefined();
      expect(await pending(4999, hashes.deviceCode)).toBeUndefined();
      await decide('refuse');
      expect(await pending(4999)).toBeUndefined();
    });

    it('are not kept under a user code that another has', async () => {
      await add();
      expect(await add({ deviceCode: Buffer.from('second') })).toBe(false);
      expect(await write((tx) => tx.deviceRequests.findByDeviceCode(Buffer.from('second')))).toBeUndefined();
      expect(await find()).toEqual(request);
    });

    it('are decided once, while they last, by one of many', async () => {
      await add();
      expect(await decide('approve', 5000)).toBeUndefined();
      const decided = await Promise.all([decide('approve'), decide('refuse'), decide('approve')]);
      expect(decided).toEqual([{ ...request, state: 'approved', decision }, undefined, undefined]);
      expect(await find()).toEqual({ ...request, state: 'approved', decision });
    });

    it('are spent once, when approved and while they last', async () => {
      await add();
      const spend = (now = 4999) => write((tx) => tx.deviceRequests.spend(hashes.deviceCode, now));
      expect(await spend()).toBeUndefined();
      await decide('approve');
      expect(await spend(5000)).toBeUndefined();
      const spent = await Promise.all([spend(), spend()]);
      expect(spent).toEqual([{ ...request, state: 'spent', decision }, undefined]);
      expect(await decide('refuse')).toBeUndefined();
    });

    it('tell who asks too soon, whose interval grows', async () => {
      await add();
      const poll = (now: number) => write((tx) => tx.deviceRequests.notePoll(hashes.deviceCode, now, 100));
      const paces = [];
      for (const at of [1000, 1500, 1999, 2599, 3398, 4198]) paces.push(await poll(at));
      expect(paces).toEqual(['in-time', 'in-time', 'too-soon', 'in-time', 'in-time', 'in-time']);
      expect(await poll(4797)).toBe('too-soon');
      expect(await poll(100)).toBe('in-time');
    });

    it('are forgotten by age, up to so many at once', async () => {
      for (const at of [1, 2, 3]) await add({ deviceCode: Buffer.from([at]), userCode: Buffer.from([at]) }, { expiresAt: at * 1000 });
      expect(await write((tx) => tx.deviceRequests.forgetBefore(2000, 1))).toBe(1);
      expect(await write((tx) => tx.deviceRequests.findByDeviceCode(Buffer.from([1])))).toBeUndefined();
      expect(await write((tx) => tx.deviceRequests.forgetBefore(2000, 9))).toBe(1);
      expect(await write((tx) => tx.deviceRequests.forgetBefore(2999, 9))).toBe(0);
    });
  });

  describe(`${name}: share links`, () => {
    const share: Share = {
      id: 'share-1', object: { accountId, space: 'private', key: 'ä.png' }, incarnation: 'incarnation-1', createdAt: 1000, expiresAt: 5000,
      maxDownloads: 2, remainingDownloads: 2, passwordHash: 'scrypt$1', hasLanding: true, revokedAt: null,
    };
    const uncapped: Share = { ...share, id: 'share-2', createdAt: 2000, maxDownloads: null, remainingDownloads: null, passwordHash: null, hasLanding: false };
    const download: SpentDownload = {
      id: 'download-1', shareId: share.id, downloader: { address: '192.0.2.1', userAgent: 'curl ☁' }, contentId: 'content-1', spentAt: 1000,
      pieces: [{ start: 0, end: 10, softFrom: 4, claimId: null }, { start: 10, end: 20, softFrom: 10, claimId: 'claim-1' }], resentBytes: 3,
    };
    const shared = (more: readonly Share[] = []) => write(async (tx) => {
      await tx.contents.add(content('content-1'));
      await tx.objects.put({ ...object, space: 'private', key: 'ä.png', expiresAt: 4000 });
      for (const one of [share, uncapped, ...more]) await tx.shares.add(one);
    });
    const listed = async (now: number, limit = 10) => (await metadata.read.shares.listOf(accountId, now, limit)).map(({ id }) => id);
    const active = (now: number) => write((tx) => tx.shares.countActive(accountId, now));

    it('are kept as they are', async () => {
      await shared();
      expect(await metadata.read.shares.find('share-1')).toEqual(share);
      expect(await metadata.read.shares.find('share-2')).toEqual(uncapped);
      expect(await metadata.read.shares.find('share-3')).toBeUndefined();
    });

    it('spend no more than their cap, and give back no more either', async () => {
      await shared();
      const spend = () => write((tx) => tx.shares.spend('share-1'));
      expect((await Promise.all([spend(), spend(), spend()])).sort()).toEqual([false, true, true]);
      await write((tx) => tx.shares.giveBack('share-1'));
      expect((await metadata.read.shares.find('share-1'))!.remainingDownloads).toBe(1);
      for (let time = 0; time < 3; time++) await write((tx) => tx.shares.giveBack('share-1'));
      expect((await metadata.read.shares.find('share-1'))!.remainingDownloads).toBe(2);
      expect(await write((tx) => tx.shares.spend('share-2'))).toBe(false);
    });

    it('are listed and counted while they last and their very file is there, newest first', async () => {
      await shared([{ ...share, id: 'share-3', remainingDownloads: 0, createdAt: 3000 }, { ...share, id: 'other', object: { ...share.object, key: 'other.png' } }]);
      expect([await listed(3999), await active(3999)]).toEqual([['share-3', 'share-2', 'share-1'], 2]);
      expect([await listed(3999, 2), await listed(3999, 1)]).toEqual([['share-2', 'share-1'], ['share-2']]);
      expect([await listed(4000), await active(4000)], 'the file has expired').toEqual([[], 0]);
      await write((tx) => tx.shares.revoke('share-1', 3500));
      await write((tx) => tx.shares.revoke('share-1', 3600));
      expect((await metadata.read.shares.find('share-1'))!.revokedAt).toBe(3500);
      expect([await listed(3999), await active(3999)]).toEqual([['share-3', 'share-2'], 1]);
      await write((tx) => tx.objects.put({ ...object, space: 'private', key: 'ä.png', incarnation: 'incarnation-2', expiresAt: null }));
      expect([await listed(3999), await active(3999)], 'another file').toEqual([[], 0]);
    });

    it('get nothing back once their file has left', async () => {
      await shared([{ ...share, id: 'share-3', remainingDownloads: 0 }]);
      await write((tx) => tx.objects.remove({ accountId, space: 'private', key: 'ä.png' }));
      for (const id of ['share-1', 'share-3']) await write((tx) => tx.shares.giveBack(id));
      expect((await metadata.read.shares.find('share-3'))!.remainingDownloads).toBe(0);
      expect([await listed(3999), await active(3999)]).toEqual([[], 0]);
    });

    it('know what a client may go on with', async () => {
      await shared();
      await write((tx) => tx.shares.addDownload(download));
      await write((tx) => tx.shares.addDownload({ ...download, id: 'download-2', spentAt: 1500 }));
      const { shareId, downloader, contentId } = download;
      const of = { shareId, downloader, contentId, spentAfter: 999 };
      const open = async (change: Partial<OpenDownloads> = {}) => (await metadata.read.shares.openDownloads({ ...of, ...change })).map(({ id }) => id);
      expect((await metadata.read.shares.openDownloads(of))[1]).toEqual(download);
      expect([await open(), await open({ spentAfter: 1000 })]).toEqual([['download-2', 'download-1'], ['download-2']]);
      for (const other of [{ shareId: 'share-2' }, { contentId: 'content-2' }, { downloader: { ...downloader, address: '192.0.2.2' } }, { downloader: { ...downloader, userAgent: '' } }]) {
        expect(await open(other)).toEqual([]);
      }
      await write((tx) => tx.shares.setPieces('download-1', [], 9));
      expect(await write((tx) => tx.shares.findDownload('download-1'))).toEqual({ ...download, pieces: [], resentBytes: 9 });
      await write((tx) => tx.shares.removeDownload('download-1'));
      expect(await write((tx) => tx.shares.findDownload('download-1'))).toBeUndefined();
    });

    it('are forgotten by age, with their downloads, up to so many at once', async () => {
      await shared([{ ...share, id: 'share-3', expiresAt: 4999 }]);
      for (const [id, shareId, spentAt] of [['a', 'share-1', 1], ['b', 'share-1', 2], ['c', 'share-3', 9]] as const) await write((tx) => tx.shares.addDownload({ ...download, id, shareId, spentAt }));
      expect(await write((tx) => tx.shares.forgetDownloadsBefore(3, 1))).toBe(1);
      expect(await write((tx) => tx.shares.findDownload('a'))).toBeUndefined();
      expect(await write((tx) => tx.shares.forgetDownloadsBefore(2, 9))).toBe(0);
      expect(await write((tx) => tx.shares.forgetExpiredBefore(5000, 9))).toBe(1);
      expect(await write((tx) => tx.shares.findDownload('c'))).toBeUndefined();
      expect(await metadata.read.shares.find('share-3')).toBeUndefined();
      expect(await metadata.read.shares.find('share-1')).toEqual(share);
    });
  });

  describe(`${name}: limit windows`, () => {
    it('are kept while they last or block, and cleared away after', async () => {
      const windows = [
        { key: 'over', used: 1, endsAt: 1000, blockedUntil: 0 },
        { key: 'lasting', used: 2, endsAt: 1001, blockedUntil: 0 },
        { key: 'blocking', used: 3, endsAt: 500, blockedUntil: 1001 },
        { key: 'unblocked', used: 4, endsAt: 500, blockedUntil: 1000 },
      ];
      await write(async (tx) => {
        for (const window of windows) await tx.limitWindows.save(window);
      });
      const live = async (now: number) => (await write((tx) => tx.limitWindows.takeLive(now))).sort((a, b) => a.used - b.used);
      expect(await live(1000)).toEqual([windows[1], windows[2]]);
      expect(await live(0)).toEqual([windows[1], windows[2]]);
      expect(await live(1001)).toEqual([]);
      expect(await live(0)).toEqual([]);
    });

    it('take the place of one with the same key', async () => {
      await write((tx) => tx.limitWindows.save({ key: 'w', used: 1, endsAt: 10, blockedUntil: 0 }));
      await write((tx) => tx.limitWindows.save({ key: 'w', used: 2, endsAt: 20, blockedUntil: 30 }));
      expect(await write((tx) => tx.limitWindows.takeLive(0))).toEqual([{ key: 'w', used: 2, endsAt: 20, blockedUntil: 30 }]);
    });
  });
}
