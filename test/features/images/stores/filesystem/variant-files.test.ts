import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import {
  encryptedVariants,
  plainVariants,
  type VariantCipher,
} from '#server/features/images/stores/filesystem/variant-cipher.ts';
import { VariantFiles } from '#server/features/images/stores/filesystem/variant-files.ts';
import { someBytes } from '#test/support/files.ts';

let folder: string;
beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cubby-variants-'));
  folder = join(dataDir, 'variants');
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
});

function cache({ maxBytes = 1e9, cipher = plainVariants as VariantCipher, isFull = false } = {}) {
  const faults: unknown[] = [];
  const files = new VariantFiles({
    folder,
    maxBytes,
    cipher,
    isFull: () => isFull,
    onFault: (error) => faults.push(error),
  });
  files.begin();
  onTestFinished(async () => {
    await files.close();
    expect(faults).toEqual([]);
  });
  return files;
}

const put = (files: VariantFiles, contentId: string, key: string, bytes: Buffer) =>
  files.put(contentId, key, {
    format: 'webp',
    sizeBytes: bytes.length,
    bytes: Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]),
  });

const filesIn = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

const key = encryptedVariants('a key-encryption key of this test');

describe.each([
  ['plain', plainVariants],
  ['encrypted', key],
])('VariantFiles, %s', (_name, cipher) => {
  it('returns what was put, whole, in ranges, and after a restart', async () => {
    const bytes = someBytes(100_000);
    const made = await put(cache({ cipher }), 'content', 'key', bytes);
    expect(made).toMatchObject({ format: 'webp', sizeBytes: 100_000, etag: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const again = (await cache({ cipher }).find('content', 'key'))!;
    expect(again).toMatchObject({ format: 'webp', sizeBytes: 100_000, etag: made.etag });
    for (const found of [made, again]) {
      expect((await buffer((await found.open(undefined))!)).equals(bytes)).toBe(true);
      for (const [start, end] of [
        [0, 0],
        [1, 16],
        [15, 17],
        [99_999, 99_999],
        [31, 70_000],
      ] as const)
        expect((await buffer((await found.open({ start, end }))!)).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  it('keeps bytes on the disk as the key says', async () => {
    const bytes = Buffer.from('a picture that everybody would know'.repeat(100));
    await put(cache({ cipher }), 'content', 'key', bytes);
    const [file] = await filesIn();
    const stored = await readFile(join(file!.parentPath, file!.name));
    expect(stored.includes('everybody')).toBe(cipher === plainVariants);
  });
});

describe('VariantFiles', () => {
  it('finds nothing of another key, and replaces it', async () => {
    await put(cache({ cipher: key }), 'content', 'key', someBytes());
    for (const cipher of [plainVariants, encryptedVariants('another key-encryption key')]) {
      const files = cache({ cipher });
      expect(await files.find('content', 'key')).toBeUndefined();
      const bytes = someBytes();
      await put(files, 'content', 'key', bytes);
      expect((await buffer((await (await files.find('content', 'key'))!.open(undefined))!)).equals(bytes)).toBe(true);
    }
  });

  it('removes the least recently used ones beyond its size, also after a restart', async () => {
    const files = cache({ maxBytes: 35_000 });
    for (const name of ['a', 'b', 'c']) await put(files, name, 'key', someBytes(10_000));
    await files.find('a', 'key');
    await put(files, 'd', 'key', someBytes(10_000));
    expect(await files.find('b', 'key')).toBeUndefined();
    expect([...(await files.contents())].sort()).toEqual(['a', 'c', 'd']);
    expect((await filesIn()).length).toBe(3);

    await utimes(join(folder, 'd/key'), 1000, 1000);
    const smaller = cache({ maxBytes: 25_000 });
    expect([...(await smaller.contents())].sort()).toEqual(['a', 'c']);
    expect((await filesIn()).length).toBe(2);
  });

  it('keeps the newest one, however large', async () => {
    const files = cache({ maxBytes: 1 });
    await put(files, 'a', 'key', someBytes(10_000));
    await put(files, 'b', 'key', someBytes(20_000));
    expect(await files.contents()).toEqual(['b']);
  });

  it('drops all variants of a content, and only them', async () => {
    const files = cache();
    for (const [content, name] of [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'x'],
    ] as const)
      await put(files, content, name, someBytes());
    expect([files.has('a'), files.has('c')]).toEqual([true, false]);
    const open = (await files.find('a', 'x'))!;
    await files.drop('a');
    expect(files.has('a')).toBe(false);
    expect([await files.find('a', 'x'), await files.find('a', 'y'), await open.open(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await files.find('b', 'x')).toBeDefined();
    expect(await readdir(folder)).toEqual(['b']);
  });

  it('keeps nothing that is shorter than announced, longer, or broken', async () => {
    const files = cache();
    const broken = new Readable({
      read() {
        this.destroy(new Error('broken'));
      },
    });
    for (const bytes of [Readable.from([Buffer.alloc(9)]), Readable.from([Buffer.alloc(11)]), broken])
      await expect(files.put('a', 'key', { format: 'png', sizeBytes: 10, bytes })).rejects.toThrow();
    expect(await files.find('a', 'key')).toBeUndefined();
    expect(await filesIn()).toEqual([]);
  });

  it('takes nothing on a full disk', async () => {
    await expect(put(cache({ isFull: true }), 'a', 'key', someBytes())).rejects.toThrow('no room');
  });

  it('finds nothing in a file that is cut off, and removes files that nobody writes any more', async () => {
    await put(cache(), 'a', 'key', someBytes());
    await writeFile(join(folder, 'a/key'), 'CV1 ');
    await writeFile(join(folder, 'a/x.1.tmp'), 'old');
    await utimes(join(folder, 'a/x.1.tmp'), 1000, 1000);
    const files = cache();
    expect(await files.find('a', 'key')).toBeUndefined();
    expect(await readdir(join(folder, 'a'))).toEqual(['key']);
  });

  it('refuses names that lead elsewhere', async () => {
    for (const id of ['..', 'a/b', '', '.']) await expect(cache().drop(id)).rejects.toThrow('cannot name a folder');
  });
});
