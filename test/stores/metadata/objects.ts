import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { spaces, type Space } from '#server/domain/object-id.ts';
import { type StoredObject } from '#server/features/files/object.ts';
import type { ListedObject, ObjectScan } from '#server/features/files/table.ts';
import { accountId, content, object, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** What a scan returns of a file. */
function listed(file: StoredObject): ListedObject {
  const { key, space, sizeBytes, etag, createdAt, expiresAt, clientProperties } = file;
  const checksum = clientProperties?.checksum ?? null;
  return { accountId: file.accountId, space, key, sizeBytes, etag, createdAt, expiresAt, checksum };
}

/** The table of objects: addresses, scans, and files without a SHA-256. */
export function objectsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: objects`, () => {
    const put = (...objects: StoredObject[]) =>
      write(async (tx) => {
        for (const one of objects) {
          if (!(await tx.contents.find(one.contentId))) await tx.contents.add(content(one.contentId));
          await tx.objects.put(one);
        }
      });

    it('are found at their address, as they were stored, full or bare', async () => {
      const bare: StoredObject = {
        ...object,
        key: 'b',
        sha256: null,
        expiresAt: null,
        cacheControl: null,
        disposition: null,
        originalName: null,
        metadata: {},
        clientProperties: null,
        suffix: { hash: null, mark: null, extension: '' },
      };
      await put(object, bare);
      expect(await store.metadata.read.objects.find(object)).toEqual(object);
      expect(await store.metadata.read.objects.find(bare)).toEqual(bare);
      expect(await write((tx) => tx.objects.find(object))).toEqual(object);
    });

    it('have the ETag of one MD5, or that of several parts', async () => {
      const md5 = '00ff02ac237024bdd0c176cb93063dc4';
      for (const etag of [md5, `${md5}-10000`]) {
        await put({ ...object, etag });
        expect((await store.metadata.read.objects.find(object))!.etag).toBe(etag);
        const page = { accountId, space: 'public', prefix: '', limit: 10 } as const;
        expect((await store.metadata.read.objects.scan(page))[0]!.etag).toBe(etag);
        const [detailed] = await store.metadata.read.objects.scan({ ...page, hasDetails: true });
        expect(detailed).toMatchObject({ etag, details: { sha256: object.sha256 } });
        expect((await store.metadata.read.storeCheck.hashed('', 1))[0]!.etag).toBe(etag);
      }
    });

    it('reject hashes that would be read back as others', async () => {
      for (const change of [{ sha256: 'F'.repeat(64) }, { sha256: 'x' }, { etag: '16 letters of it' }])
        await expect(put({ ...object, ...change })).rejects.toThrow(TypeError);
    });

    it('have the hash that is in their key, or another one', async () => {
      const suffix = { hash: 'abcdefghijklmnop', mark: 'ex6h', extension: 'tar.gz' };
      for (const [key, change] of [
        ['a_abcdefghijklmnop-ex6h.tar.gz', {}],
        ['a_abcdefghijklmnop.tar.gz', { mark: null }],
        ['a_abcdefghijklmnop', { mark: null, extension: '' }],
        ['a_abcdefghijklmnop-ex6h.tar.gz', { hash: null }],
        ['a_abcdefghijklmnop-ex6h.tar.gz', { hash: 'other' }],
        ['a', { hash: 'a' }],
      ] as const) {
        const one = { ...object, key, suffix: { ...suffix, ...change } };
        await put(one);
        expect(await store.metadata.read.objects.find(one)).toEqual(one);
      }
    });

    it('are not found at other addresses', async () => {
      await put(object);
      for (const change of [
        { key: 'A.png' },
        { key: 'a.png ' },
        { key: 'a.png\u0000' },
        { key: 'a' },
        { space: 'private' as const },
        { space: 'legacy' as const },
        { accountId: otherId },
      ]) {
        expect(
          await store.metadata.read.objects.find({ ...object, ...change }),
          JSON.stringify(change),
        ).toBeUndefined();
      }
    });

    it('keep keys apart that differ only in their Unicode form', async () => {
      await put({ ...object, key: '\u00e9' }, { ...object, key: 'e\u0301', etag: 'other' });
      expect((await store.metadata.read.objects.find({ ...object, key: '\u00e9' }))!.etag).toBe('e');
    });

    it('replace the object at the same address completely', async () => {
      const next: StoredObject = {
        ...object,
        contentId: 'content-2',
        sizeBytes: 9,
        etag: 'f',
        sha256: null,
        expiresAt: null,
        disposition: null,
        originalName: null,
        metadata: {},
      };
      await put(object, next);
      expect(await store.metadata.read.objects.find(object)).toEqual(next);
      expect(await store.metadata.read.objects.scan({ accountId, space: 'public', prefix: '', limit: 10 })).toEqual([
        listed(next),
      ]);
    });

    it('require a content and an account', async () => {
      await expect(write((tx) => tx.objects.put(object))).rejects.toThrow();
      await expect(put({ ...object, accountId: 'nobody' })).rejects.toThrow();
    });

    it('are removed once, and the row is returned', async () => {
      const other = { ...object, space: 'private' as const };
      await put(object, other);
      expect(await write((tx) => tx.objects.remove(object))).toEqual(object);
      expect(await write((tx) => tx.objects.remove(object))).toBeUndefined();
      expect(await store.metadata.read.objects.find(other)).toEqual(other);
    });

    it('are scanned in the byte order of their keys, from any position, like a simple model', async () => {
      const letters = fc.constantFrom(
        'a',
        'b',
        '/',
        '0',
        '.',
        '\u007f',
        'é',
        '\ud7ff',
        '\ue000',
        '\uffff',
        '\u{10000}',
        '\u{10ffff}',
      );
      const text = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(''));
      const rows = fc.uniqueArray(
        fc.record({ space: fc.constantFrom<Space>(...spaces), key: text.filter((one) => one !== '') }),
        { maxLength: 25, selector: (one) => one.space + one.key },
      );
      const starts = fc.oneof(
        fc.constant(undefined),
        text.map((at) => ({ at })),
        text.map((behind) => ({ behind })),
      );
      const bytes = (one: string) => Buffer.from(one);
      await fc.assert(
        fc.asyncProperty(
          rows,
          fc.constantFrom<Space>(...spaces),
          text,
          starts,
          fc.integer({ min: 1, max: 30 }),
          async (some, space, prefix, from, limit) => {
            await write(async (tx) => {
              for (const where of spaces)
                for (const { key: old } of await tx.objects.scan({ accountId, space: where, prefix: '', limit: 100 }))
                  await tx.objects.remove({ accountId, space: where, key: old });
            });
            await put(...some.map((one) => ({ ...object, ...one })));
            const expected = some
              .filter((one) => one.space === space && one.key.startsWith(prefix))
              .map((one) => one.key)
              .sort((a, b) => Buffer.compare(bytes(a), bytes(b)))
              .filter(
                (one) =>
                  !from ||
                  ('at' in from
                    ? Buffer.compare(bytes(one), bytes(from.at)) >= 0
                    : Buffer.compare(bytes(one), bytes(from.behind)) > 0),
              )
              .slice(0, limit);
            const scan: ObjectScan = { accountId, space, prefix, limit, ...(from && { from }) };
            expect((await store.metadata.read.objects.scan(scan)).map((one) => one.key)).toEqual(expected);
          },
        ),
        { numRuns: 120 },
      );
    });

    it('are rolled up by a delimiter, from any position, like a simple model', async () => {
      const letters = fc.constantFrom('a', 'b', '/', '//', '0', '.', 'é', '\ud7ff', '\ue000', '\u{f0000}', '\u{10000}');
      const text = fc.array(letters, { maxLength: 5 }).map((parts) => parts.join(''));
      const files = fc.uniqueArray(fc.record({ key: text.filter((one) => one !== ''), isExpired: fc.boolean() }), {
        maxLength: 25,
        selector: ({ key }) => key,
      });
      const starts = fc.oneof(
        text.map((at) => ({ at })),
        text.map((behind) => ({ behind })),
      );
      const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
      const [now, scanned] = [1000, { accountId, space: 'private' } as const];
      await fc.assert(
        fc.asyncProperty(
          files,
          fc.constantFrom('', 'a', 'a/', 'é', '\u{f0000}'),
          fc.constantFrom('/', '//', 'a', 'é', '\ud7ff', '\u{f0000}', '/a'),
          starts,
          fc.integer({ min: 1, max: 30 }),
          async (some, prefix, delimiter, from, limit) => {
            await write(async (tx) => {
              for (const { key: old } of await tx.objects.scan({ ...scanned, prefix: '', limit: 100 }))
                await tx.objects.remove({ ...scanned, key: old });
            });
            await put(
              ...some.map(({ key, isExpired }) => ({ ...object, ...scanned, key, expiresAt: isExpired ? now : null })),
            );
            const starts = ({ key }: { readonly key: string }) =>
              'at' in from ? compare(key, from.at) >= 0 : compare(key, from.behind) > 0;
            const shown = some
              .filter((one) => one.key.startsWith(prefix) && starts(one))
              .sort((one, other) => compare(one.key, other.key));
            const expected: string[] = [];
            for (let folder: string | undefined; shown.length > 0 && expected.length < limit;) {
              const { key, isExpired } = shown.shift()!;
              if (folder !== undefined && key.startsWith(folder)) continue;
              expected.push(key);
              const at = key.indexOf(delimiter, prefix.length);
              folder = isExpired || at === -1 ? undefined : key.slice(0, at + delimiter.length);
            }
            for (const hasDetails of [false, true]) {
              const scan = { ...scanned, prefix, delimiter, from, limit, now, hasDetails };
              expect((await store.metadata.read.objects.scanRolledUp(scan)).map(({ key }) => key)).toEqual(expected);
            }
          },
        ),
        { numRuns: 120 },
      );
    });

    it('treat prefixes literally, without wildcards', async () => {
      await put(...['a%b', 'a_b', 'axb', 'a*b', 'a[b', 'A%b'].map((one) => ({ ...object, key: one })));
      const scan = async (prefix: string) =>
        (await store.metadata.read.objects.scan({ accountId, space: 'public', prefix, limit: 10 })).map(
          (one) => one.key,
        );
      for (const prefix of ['a%', 'a_', 'a*', 'a[', 'A']) expect(await scan(prefix), prefix).toHaveLength(1);
      expect(await scan("a' OR 1=1 --")).toEqual([]);
    });

    it('are found after their expiry in all accounts, earliest first, up to the limit', async () => {
      const expiring = (key: string, expiresAt: number | null, change: Partial<StoredObject> = {}) => ({
        ...object,
        key,
        expiresAt,
        ...change,
      });
      await put(
        expiring('a', 30),
        expiring('b', 10, { accountId: otherId, space: 'private' }),
        expiring('c', 20, { space: 'legacy' }),
        expiring('d', null),
      );
      const keys = async (now: number, limit: number) =>
        (await store.metadata.read.objects.expired(now, limit)).map(({ key }) => key);
      expect([await keys(9, 10), await keys(10, 10), await keys(29, 10), await keys(30, 10)]).toEqual([
        [],
        ['b'],
        ['b', 'c'],
        ['b', 'c', 'a'],
      ]);
      expect(await keys(30, 2)).toEqual(['b', 'c']);
      expect(await store.metadata.read.objects.expired(10, 1)).toEqual([
        { accountId: otherId, space: 'private', key: 'b', expiresAt: 10 },
      ]);
    });

    it('are scanned by age over all spaces, between two times, in steps without gaps', async () => {
      const written = (key: string, createdAt: number, space: Space = 'public') => ({
        ...object,
        key,
        createdAt,
        space,
      });
      const files = [
        written('z', 1),
        written('b', 2),
        written('c', 2),
        written('ä', 2),
        written('a', 2, 'private'),
        written('a', 2, 'legacy'),
        written('y', 3),
        written('x', -5),
      ];
      await put(...files, { ...written('b', 2), accountId: otherId });
      const named = (found: ReadonlyArray<{ readonly space: Space; readonly key: string }>) =>
        found.map(({ space, key }) => `${space} ${key}`);
      const { scanByAge, scanAgedByKey } = store.metadata.read.objects;
      const all = { accountId, prefix: '', after: undefined, until: 10, behind: undefined, limit: 100 };
      const inOrder = ['public x', 'public z', 'public b', 'public c', 'public ä', 'private a', 'legacy a', 'public y'];
      const found = async (scan: Partial<Parameters<typeof scanByAge>[0]>) =>
        named((await scanByAge({ ...all, ...scan })).files);
      expect(await found({})).toEqual(inOrder);
      expect(await scanByAge({ ...all, limit: 1 })).toEqual({
        files: [{ accountId, space: 'public', key: 'x', createdAt: -5 }],
        behind: { accountId, space: 'public', key: 'x', createdAt: -5 },
      });
      expect(await found({ after: 1, until: 2 })).toEqual(inOrder.slice(2, 7));
      expect(await found({ after: 2, until: 2 })).toEqual([]);
      for (const limit of [1, 2, 3]) {
        const walked: string[] = [];
        let step = await scanByAge({ ...all, limit });
        walked.push(...named(step.files));
        while (step.behind) {
          step = await scanByAge({ ...all, behind: step.behind, limit });
          walked.push(...named(step.files));
        }
        expect(walked).toEqual(inOrder);
      }
      for (const limit of [1, 2, 3, 100]) {
        const walked: string[] = [];
        let step = await scanAgedByKey({ ...all, after: 1, until: 2, limit });
        walked.push(...named(step.files));
        while (step.behind) {
          step = await scanAgedByKey({ ...all, after: 1, until: 2, behind: step.behind, limit });
          walked.push(...named(step.files));
        }
        expect(walked.toSorted(), `limit ${limit}`).toEqual(inOrder.slice(2, 7).toSorted());
      }
    });

    it('are scanned by age and by key under a prefix only, and a step ends after its limit of files', async () => {
      const { scanByAge, scanAgedByKey } = store.metadata.read.objects;
      const file = (key: string, createdAt: number, space: Space = 'public') => ({ ...object, key, createdAt, space });
      await put(
        file('a/1', 1),
        file('a/2', 9),
        file('a/3', 2, 'private'),
        file('b/1', 1),
        file('a', 1),
        file('A/1', 1),
        file('a0', 1),
      );
      const scan = { accountId, prefix: 'a/', after: undefined, until: 5, limit: 100 };
      const keys = (files: ReadonlyArray<{ readonly key: string }>) => files.map(({ key }) => key).toSorted();
      for (const step of [
        await scanByAge({ ...scan, behind: undefined }),
        await scanAgedByKey({ ...scan, behind: undefined }),
      ]) {
        expect(keys(step.files)).toEqual(['a/1', 'a/3']);
        expect(step.behind).toBeUndefined();
      }
      const last = { accountId, space: 'public', key: 'A/1', createdAt: 1 };
      expect(await scanByAge({ ...scan, behind: undefined, limit: 1 })).toEqual({ files: [], behind: last });
      const first = await scanAgedByKey({ ...scan, behind: undefined, limit: 1 });
      expect([keys(first.files), [...first.behind!]]).toEqual([
        ['a/1', 'a/3'],
        [
          ['public', 'a/1'],
          ['private', 'a/3'],
        ],
      ]);
      expect(await scanAgedByKey({ ...scan, behind: new Map([['public', 'a/1']]), limit: 1 })).toEqual({
        files: [],
        behind: new Map([['public', 'a/2']]),
      });
      expect(await scanAgedByKey({ ...scan, behind: new Map([['public', 'a/2']]), limit: 1 })).toEqual({
        files: [],
        behind: undefined,
      });
    });

    it('are scanned within one account', async () => {
      await put(object, { ...object, accountId: otherId });
      expect(
        await store.metadata.read.objects.scan({ accountId: otherId, space: 'public', prefix: '', limit: 10 }),
      ).toEqual([listed({ ...object, accountId: otherId })]);
    });

    it('are scanned with their checksums, if a client set one', async () => {
      const checksum = { algorithm: 'CRC32', value: 'AAAAAA==', type: 'FULL_OBJECT' } as const;
      const some = [
        { ...object, key: 'a', clientProperties: { checksum, contentType: 'text/x-own' } },
        { ...object, key: 'b', clientProperties: { contentType: 'text/x-own' } },
        { ...object, key: 'c', clientProperties: null, expiresAt: null },
      ];
      await put(...some);
      const scanned = await store.metadata.read.objects.scan({ accountId, space: 'public', prefix: '', limit: 10 });
      expect(scanned).toEqual(some.map(listed));
      expect(scanned.map((one) => one.checksum)).toEqual([checksum, null, null]);
    });
  });

  describe(`${name}: files without a SHA-256`, () => {
    it('are found by content, once each, and the hash is set in all their rows', async () => {
      for (const id of ['c-1', 'c-2', 'c-3']) await write((tx) => tx.contents.add(content(id)));
      const rows = [
        ['a', 'c-2', null],
        ['b', 'c-2', null],
        ['c', 'c-1', null],
        ['d', 'c-3', object.sha256],
      ] as const;
      for (const [key, contentId, sha256] of rows)
        await write((tx) => tx.objects.put({ ...object, key, contentId, sha256 }));
      const { objects } = store.metadata.read;
      expect([
        await objects.unhashed('', 10),
        await objects.unhashed('', 1),
        await objects.unhashed('c-1', 10),
      ]).toEqual([['c-1', 'c-2'], ['c-1'], ['c-2']]);
      await write((tx) => tx.objects.setSha256('c-2', 'e'.repeat(64)));
      expect(await objects.unhashed('', 10)).toEqual(['c-1']);
      const hashes = await Promise.all(rows.map(async ([key]) => (await objects.find({ ...object, key }))!.sha256));
      expect(hashes).toEqual(['e'.repeat(64), 'e'.repeat(64), null, object.sha256]);
    });
  });
}
