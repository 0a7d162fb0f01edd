import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { spaces, type Space } from '#server/domain/object-id.ts';
import { kindOfKey } from '#server/features/files/file-kind.ts';
import { noFilters, type ListFilters } from '#server/features/files/listing/list-filters.ts';
import { listObjects, type ListObjects } from '#server/features/files/listing/list-objects.ts';
import { mostReadRows } from '#server/features/files/listing/list-sorted.ts';
import { MemoryListPages } from '#server/features/files/stores/memory/list-pages.ts';
import { plainPage, type PlainPage } from '#test/support/list-page.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { storeAll } from '../stored.ts';

interface Model {
  readonly space: Space;
  readonly key: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

const whole: Omit<ListObjects, 'accountId'> = {
  ...{ prefix: '', isPrivate: undefined, delimiter: false, limit: 1000, cursor: undefined },
  ...{ sort: 'name', isDescending: false, filters: noFilters, hasDetails: false },
};

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Returns the expected list, in the simplest way. */
function expectedOf(files: readonly Model[], command: Omit<ListObjects, 'accountId'>): string[] {
  const { prefix, isPrivate, delimiter, sort, isDescending, filters: wanted } = command;
  const value = ({ sizeBytes, createdAt }: Model) => (sort === 'size' ? sizeBytes : sort === 'created' ? createdAt : 0);
  const shown = files.filter(
    (one) =>
      (isPrivate === undefined || isPrivate === (one.space === 'private')) &&
      one.key.startsWith(prefix) &&
      !(delimiter && one.key.slice(prefix.length).includes('/')) &&
      one.expiresAt === null &&
      (wanted.kind === undefined || kindOfKey(one.key) === wanted.kind) &&
      one.sizeBytes >= (wanted.minBytes ?? 0) &&
      one.sizeBytes <= (wanted.maxBytes ?? Infinity) &&
      one.createdAt >= (wanted.createdFrom ?? 0) &&
      one.createdAt < (wanted.createdBefore ?? Infinity) &&
      (wanted.metadata === undefined || one.metadata.of === wanted.metadata.of),
  );
  const sorted = shown.toSorted(
    (a, b) => value(a) - value(b) || spaces.indexOf(a.space) - spaces.indexOf(b.space) || compareBytes(a.key, b.key),
  );
  return (isDescending ? sorted.toReversed() : sorted).map(({ space, key }) => `${space}:${key}`);
}

const start = Date.parse('2026-01-01T00:00:00Z');
const keys = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', '/', 'é', '😀'), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('png', 'pdf', 'bin'),
  )
  .map(([letters, extension]) => `${letters.join('')}x.${extension}`);
const file: fc.Arbitrary<Model> = fc.record({
  space: fc.constantFrom(...spaces),
  key: keys,
  sizeBytes: fc.nat({ max: 4 }),
  createdAt: fc.nat({ max: 4 }).map((day) => start + day * 86_400_000),
  expiresAt: fc.constantFrom(null, null, null, 1),
  metadata: fc.constantFrom({}, { of: 'acme' }, { of: 'other' }),
});
const files = fc.uniqueArray(file, { maxLength: 30, selector: ({ space, key }) => `${space}:${key}` });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant(undefined), fc.constant(undefined), value);
const filters: fc.Arbitrary<ListFilters> = fc.record({
  kind: maybe(fc.constantFrom('image', 'pdf', 'other')),
  minBytes: maybe(fc.nat({ max: 3 })),
  maxBytes: maybe(fc.nat({ max: 4 })),
  createdFrom: maybe(fc.nat({ max: 3 }).map((day) => start + day * 86_400_000)),
  createdBefore: maybe(fc.nat({ max: 5 }).map((day) => start + day * 86_400_000)),
  metadata: maybe(fc.constant({ of: 'acme' })),
});

describe('listObjects() in another order, or with filters', () => {
  let stores: TestStores;
  beforeAll(async () => void (stores = await openTestStores()));
  afterAll(() => stores.close());

  async function listed(accountId: string, command: Omit<ListObjects, 'accountId' | 'cursor'>): Promise<string[]> {
    const deps = { ...stores, pages: new MemoryListPages<PlainPage>() };
    const found: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 200; pages++) {
      const page = await listObjects(deps, { ...command, accountId, cursor }, plainPage);
      expect(page.objects.length).toBeLessThanOrEqual(command.limit);
      found.push(...page.objects.map(({ space, key }) => `${space}:${key}`));
      if (page.next === undefined) return found;
      cursor = page.next;
    }
    throw new Error('The list does not end.');
  }

  it('returns the same files as a simple model over all pages, in the same order', async () => {
    const command = fc.record({
      prefix: fc.constantFrom('', '', 'a', 'a/', 'é'),
      isPrivate: fc.constantFrom(true, false, undefined),
      delimiter: fc.boolean(),
      sort: fc.constantFrom('name' as const, 'size' as const, 'created' as const),
      isDescending: fc.boolean(),
      filters,
      limit: fc.integer({ min: 1, max: 9 }),
      hasDetails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(files, command, async (some, asked) => {
        const { id: accountId } = await stores.account();
        await storeAll(
          stores,
          some.map((one) => ({ accountId, ...one })),
        );
        // By names from the first on, folders come too: list-objects.test.ts has them.
        const isByNames = asked.sort === 'name' && !asked.isDescending;
        const list = { ...asked, delimiter: asked.delimiter && !isByNames };
        expect(await listed(accountId, list)).toEqual(expectedOf(some, { ...whole, ...list }));
      }),
      { numRuns: 150 },
    );
  });

  it('returns details only if they are asked for', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(stores, [{ accountId, key: 'a.png', originalName: 'A.png', metadata: { of: 'acme' } }]);
    const deps = { ...stores, pages: { get: () => undefined, set: () => {} } };
    for (const sort of ['name', 'size'] as const)
      for (const hasDetails of [true, false]) {
        const page = await listObjects(deps, { ...whole, accountId, sort, hasDetails }, (one) => one);
        expect(page.objects[0]!.details).toEqual(
          hasDetails
            ? { originalName: 'A.png', metadata: { of: 'acme' }, sha256: null, versionId: expect.any(String) }
            : undefined,
        );
      }
  });

  it('reads a bounded number of rows for a page, and holds nobody up', async () => {
    const { id: accountId } = await stores.account();
    const count = mostReadRows + 2_000;
    const many = Array.from({ length: count }, (_, at) => ({ accountId, key: `f/${String(at).padStart(6, '0')}.bin` }));
    for (let at = 0; at < count; at += 2_000) await storeAll(stores, many.slice(at, at + 2_000));
    await storeAll(stores, [{ accountId, key: 'z.png', sizeBytes: 9 }]);
    const deps = { ...stores, pages: new MemoryListPages<PlainPage>() };
    for (const sort of ['name', 'size'] as const) {
      const command = { ...whole, accountId, sort, filters: { ...noFilters, kind: 'image' as const } };
      const first = await listObjects(deps, command, plainPage);
      expect(first.objects).toEqual([]);
      const second = await listObjects(deps, { ...command, cursor: first.next }, plainPage);
      expect(second.objects.map(({ key }) => key)).toEqual(['z.png']);
      expect(second.next).toBeUndefined();
      const hold = await shortestHoldMs(() =>
        listObjects({ ...deps, pages: new MemoryListPages<PlainPage>() }, command, plainPage),
      );
      expect(hold).toBeLessThan(50);
    }
  });
});
