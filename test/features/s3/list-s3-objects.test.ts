import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { StoredObject } from '#server/features/files/object.ts';
import type { ObjectScan, RolledUpScan } from '#server/features/files/table.ts';
import { folderOf, type EntryScan } from '#server/features/files/listing/scan-entries.ts';
import { listS3Objects, type S3ListPage } from '#server/features/s3/list-s3-objects.ts';

const bytesOf = (text: string) => Buffer.from(text);
const order = (a: string, b: string) => Buffer.compare(bytesOf(a), bytesOf(b));

/** Returns the files of these keys, scanned as the store scans them. Records the scans. */
function files(keys: readonly string[]) {
  const sorted = [...new Set(keys)].sort(order);
  const scans: ObjectScan[] = [];
  const scan = async (asked: ObjectScan): Promise<StoredObject[]> => {
    scans.push(asked);
    const { prefix, from, limit } = asked;
    const isIn = (key: string) =>
      key.startsWith(prefix) &&
      (from === undefined || ('behind' in from ? order(key, from.behind) > 0 : order(key, from.at) >= 0));
    return sorted
      .filter(isIn)
      .slice(0, limit)
      .map((key) => ({ key, expiresAt: null }) as StoredObject);
  };
  const scanRolledUp = async ({ delimiter, ...asked }: RolledUpScan): Promise<StoredObject[]> => {
    const all = await scan({ ...asked, limit: Infinity });
    scans.push({ ...scans.pop()!, limit: asked.limit });
    const entry = (key: string) => folderOf(key, asked.prefix, delimiter) ?? key;
    return all.filter(({ key }, at) => at === 0 || entry(key) !== entry(all[at - 1]!.key)).slice(0, asked.limit);
  };
  return {
    sorted,
    scans,
    deps: { metadata: { read: { objects: { scan, scanRolledUp } } }, clock: { now: () => 0 } } as unknown as Parameters<
      typeof listS3Objects
    >[0],
  };
}

const ask = (more: Partial<EntryScan> = {}): EntryScan => ({
  accountId: 'a',
  space: 'private',
  prefix: '',
  delimiter: '',
  from: undefined,
  limit: 1000,
  ...more,
});
const shown = ({ objects, prefixes }: S3ListPage) => [...objects.map(({ key }) => key), ...prefixes].sort(order);

/** Returns the entries that the description of S3 asks for, by looking at every key. */
function expected(sorted: readonly string[], prefix: string, delimiter: string): string[] {
  const entries = sorted
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return at === -1 ? key : key.slice(0, at + delimiter.length);
    });
  return [...new Set(entries)].sort(order);
}

describe('listS3Objects()', () => {
  test('returns page by page the same as a look at every key, for any keys, prefix and delimiter', async () => {
    const piece = fc.constantFrom('a', 'b', '/', '//', '-', '0', 'ü', '\u{10ffff}', '\ud7ff', '\ue000', '𐀀', ' ');
    const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 30 }),
        fc.constantFrom('', 'a', '/', 'a/', 'ü'),
        fc.constantFrom('', '/', '//', 'a', '\u{10ffff}', '\ud7ff'),
        fc.integer({ min: 1, max: 5 }),
        async (keys, prefix, delimiter, limit) => {
          const { sorted, deps } = files(keys);
          const wanted = expected(sorted, prefix, delimiter);
          const all: string[] = [];
          const byMarker: string[] = [];
          for (
            let page = await listS3Objects(deps, ask({ prefix, delimiter, limit }));
            ;
            page = await listS3Objects(deps, ask({ prefix, delimiter, limit, from: page.next }))
          ) {
            expect(shown(page).length).toBeLessThanOrEqual(limit);
            all.push(...shown(page));
            if (page.next === undefined) break;
          }
          // Version 1 of the list continues after the last key or prefix that it showed.
          for (
            let page = await listS3Objects(deps, ask({ prefix, delimiter, limit }));
            ;
            page = await listS3Objects(deps, ask({ prefix, delimiter, limit, from: { behind: page.last! } }))
          ) {
            byMarker.push(...shown(page));
            if (page.next === undefined) break;
          }
          expect(all).toEqual(wanted);
          expect(byMarker).toEqual(wanted);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('skips a folder in one step, however many files it holds', async () => {
    const { scans, deps } = files([...Array.from({ length: 5000 }, (_, index) => `big/${index}`), 'last']);
    const page = await listS3Objects(deps, ask({ delimiter: '/' }));
    expect(shown(page)).toEqual(['big/', 'last']);
    expect(scans.map(({ limit }) => limit)).toEqual([8, 256]);
  });

  test('reads a page of folders in three steps, and files as they lie', async () => {
    const many = Array.from({ length: 1100 }, (_, index) => String(10_000 + index));
    const folders = files(many.flatMap((name) => [`${name}/a`, `${name}/b`]));
    expect((await listS3Objects(folders.deps, ask({ delimiter: '/' }))).prefixes).toHaveLength(1000);
    expect(folders.scans.map(({ limit }) => limit)).toEqual([8, 256, 1001]);
    const ofOne = files(many.slice(0, 50).map((name) => `${name}1a`));
    await listS3Objects(ofOne.deps, ask({ delimiter: '1a' }));
    expect(Math.max(...ofOne.scans.map(({ limit }) => limit))).toBe(8);
    const behindOne = files(['1/a', ...many]);
    expect((await listS3Objects(behindOne.deps, ask({ delimiter: '/' }))).objects).toHaveLength(999);
    expect(behindOne.scans.map(({ limit }) => limit)).toEqual([8, 256, 8, 16, 32, 64, 128, 256, 512]);
  });

  test('continues after a prefix at the edges of Unicode', async () => {
    const { deps } = files(['a\ud7ffx', 'a\ue000', 'a\u{10ffff}x', 'b']);
    expect(shown(await listS3Objects(deps, ask({ delimiter: '\ud7ff' })))).toEqual([
      'a\ud7ff',
      'a\ue000',
      'a\u{10ffff}x',
      'b',
    ]);
    expect(shown(await listS3Objects(deps, ask({ delimiter: '\u{10ffff}' })))).toEqual([
      'a\ud7ffx',
      'a\ue000',
      'a\u{10ffff}',
      'b',
    ]);
  });

  test('returns an empty page that is not truncated for a limit of 0', async () => {
    const { scans, deps } = files(['a']);
    expect(await listS3Objects(deps, ask({ limit: 0 }))).toEqual({
      objects: [],
      prefixes: [],
      last: undefined,
      next: undefined,
    });
    expect(scans).toHaveLength(0);
  });
});
