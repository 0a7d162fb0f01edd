import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlobMissing, BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import { FilesystemBlobStore } from '#server/stores/filesystem/blobs.ts';
import { noMount } from '#test/support/mount.ts';
import { because } from '#test/support/programs.ts';
import { blobStoreConformance, chunks, collect, newBlobId } from '../blob-store-conformance.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cubby-blobs-'));
  folder = join(root, 'data', 'blobs');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
const temporaries = () => files().filter((file) => file.endsWith('.tmp'));
const placeOf = (blobId: string) => join(folder, blobId.slice(0, 2), blobId);

/**
 * Returns the number of descriptors of this process that point into the folder, or `undefined` if the system cannot
 * tell.
 */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
      } catch {
        return false; // the descriptor of this listing itself
      }
    }).length;
  } catch {
    return undefined;
  }
}

/** Descriptors of destroyed streams are closed a moment later. */
async function expectNoOpenDescriptors(): Promise<void> {
  for (let attempt = 0; attempt < 50 && openDescriptors(); attempt++) await sleep(10);
  expect(openDescriptors() ?? 0).toBe(0);
}

for (const sync of [true, false]) {
  describe(sync ? 'with fsync' : 'without fsync', () =>
    blobStoreConformance('FilesystemBlobStore', async () => {
      const store = await FilesystemBlobStore.open(folder, { sync });
      const close = async () => {
        await store.close();
        await expectNoOpenDescriptors();
      };
      return { store, leftovers: temporaries, close };
    }),
  );
}

describe('FilesystemBlobStore.put()', () => {
  it('stores a blob under the first two characters of its id', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    await store.put(blobId, chunks(['a']));
    expect(files()).toEqual([`${blobId.slice(0, 2)}/${blobId}`]);
  });

  it.each([
    '',
    '..',
    '../../../../etc/passwd',
    'aa/../../../../../etc/shadow',
    'A'.repeat(26),
    'a'.repeat(25),
    'a'.repeat(27),
    `${'a'.repeat(25)}1`,
    `${'a'.repeat(26)}\n`,
    `${'a'.repeat(25)}\0`,
  ])('refuses %j as an id, as do open() and delete()', async (blobId) => {
    const store = await FilesystemBlobStore.open(folder);
    await expect(store.put(blobId, chunks(['a']))).rejects.toThrow('is not a blob id');
    await expect(store.open(blobId)).rejects.toThrow('is not a blob id');
    await expect(store.delete(blobId)).rejects.toThrow('is not a blob id');
    expect(files()).toEqual([]);
  });

  it('throws BlobStoreFailed when its folder has become a file, and works again after the repair', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, 'in the way');
    const put = store.put(blobId, chunks(['a']));
    await expect(put).rejects.toBeInstanceOf(BlobStoreFailed);
    await expect(put).rejects.toMatchObject({ cause: { code: 'ENOTDIR' } });
    await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobStoreFailed);
    await expect(store.delete(blobId)).rejects.toBeInstanceOf(BlobStoreFailed);
    await expect(collect(store.ids())).rejects.toBeInstanceOf(BlobStoreFailed);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    await store.put(blobId, chunks(['a']));
  });

  it('does not create its folder again when it has vanished, because its disk may not be mounted', async () => {
    const store = await FilesystemBlobStore.open(folder);
    rmSync(folder, { recursive: true });
    await expect(store.put(newBlobId(), chunks(['a']))).rejects.toBeInstanceOf(BlobStoreFailed);
    expect(readdirSync(join(root, 'data'))).toEqual([]);
  });

  it('throws BlobStoreFailed when a shard cannot be created, and leaves the file in its place', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    writeFileSync(join(folder, blobId.slice(0, 2)), 'in the way');
    await expect(store.put(blobId, chunks(['a']))).rejects.toBeInstanceOf(BlobStoreFailed);
    expect(files()).toEqual([blobId.slice(0, 2)]);
  });

  it('closes its file in every case', async () => {
    const store = await FilesystemBlobStore.open(folder);
    await store.put(newBlobId(), chunks(['a']));
    await expect(store.put(newBlobId(), chunks(['a'], new Error('broken')))).rejects.toThrow('broken');
    await expectNoOpenDescriptors();
  });
});

describe('FilesystemBlobStore.open()', () => {
  it('throws BlobMissing for an id that is not stored', async () => {
    const store = await FilesystemBlobStore.open(folder);
    await expect(store.open(newBlobId())).rejects.toBeInstanceOf(BlobMissing);
  });

  it('closes its file when the stream ends, is destroyed before its first read, or the range is invalid', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    await store.put(blobId, chunks([Buffer.alloc(1_000_000)]));
    await buffer(await store.open(blobId));
    (await store.open(blobId)).destroy();
    await buffer(await store.open(blobId, { start: 2_000_000, end: 2_000_001 }));
    await expect(store.open(blobId, { start: 5, end: 4 })).rejects.toBeInstanceOf(RangeError);
    await expectNoOpenDescriptors();
  });

  it('continues to read a blob that is deleted meanwhile', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    await store.put(blobId, chunks([Buffer.alloc(2_000_000, 7)]));
    const stream = await store.open(blobId);
    await store.delete(blobId);
    expect((await buffer(stream)).equals(Buffer.alloc(2_000_000, 7))).toBe(true);
  });

  it('opens the same blobs after the store was opened again', async () => {
    const blobId = newBlobId();
    await (await FilesystemBlobStore.open(folder)).put(blobId, chunks(['a']));
    expect(String(await buffer(await (await FilesystemBlobStore.open(folder)).open(blobId)))).toBe('a');
  });
});

describe('FilesystemBlobStore.delete()', () => {
  it('removes what a killed process left of a put', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const [crashed, other] = [newBlobId(), newBlobId()];
    for (const blobId of [crashed, other]) {
      mkdirSync(join(folder, blobId.slice(0, 2)), { recursive: true });
      writeFileSync(`${placeOf(blobId)}.tmp`, 'half');
    }
    await store.delete(crashed);
    await store.delete(crashed);
    expect(files()).toEqual([`${other.slice(0, 2)}/${other}.tmp`]);
  });
});

describe('FilesystemBlobStore.sweepTemporaries()', () => {
  it('removes the leftovers of a crash and nothing else', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const kept = newBlobId();
    const crashed = newBlobId();
    await store.put(kept, chunks(['a']));
    mkdirSync(join(folder, crashed.slice(0, 2)), { recursive: true });
    writeFileSync(`${placeOf(crashed)}.tmp`, 'half');
    writeFileSync(join(folder, kept.slice(0, 2), 'notes.tmp'), 'of the operator');
    expect((await collect(store.ids())).map(({ blobId }) => blobId)).toEqual([kept]);
    expect(await store.sweepTemporaries()).toBe(1);
    expect(await store.sweepTemporaries()).toBe(0);
    expect(files().sort()).toEqual([`${kept.slice(0, 2)}/${kept}`, `${kept.slice(0, 2)}/notes.tmp`].sort());
    await store.put(crashed, chunks(['whole']));
  });
});

const noDisk = noMount();

describe.skipIf(noDisk)(`FilesystemBlobStore on a disk of 1 MiB${because(noDisk)}`, () => {
  beforeEach(() => {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  });
  afterEach(() => void execFileSync('umount', [folder]));

  it('throws BlobStoreFailed when the disk is full, leaves nothing behind, and can store a smaller blob', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    const put = store.put(blobId, chunks([Buffer.alloc(700_000), Buffer.alloc(700_000)]));
    await expect(put).rejects.toBeInstanceOf(BlobStoreFailed);
    await expect(put).rejects.toMatchObject({ cause: { code: 'ENOSPC' } });
    expect(files()).toEqual([]);
    await store.put(blobId, chunks([Buffer.alloc(700_000)]));
  });

  it('throws BlobStoreFailed on a read-only disk, and still reads', async () => {
    const store = await FilesystemBlobStore.open(folder);
    const blobId = newBlobId();
    await store.put(blobId, chunks(['a']));
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    await expect(store.put(newBlobId(), chunks(['b']))).rejects.toBeInstanceOf(BlobStoreFailed);
    await expect(store.delete(blobId)).rejects.toBeInstanceOf(BlobStoreFailed);
    expect(String(await buffer(await store.open(blobId)))).toBe('a');
  });
});

// Root may write everywhere, so for root the read-only disk above covers this.
if (process.getuid?.() !== 0) {
  describe('FilesystemBlobStore in a folder without permission', () => {
    it('throws BlobStoreFailed', async () => {
      const store = await FilesystemBlobStore.open(folder);
      chmodSync(folder, 0o500);
      await expect(store.put(newBlobId(), chunks(['a']))).rejects.toBeInstanceOf(BlobStoreFailed);
      chmodSync(folder, 0o700);
    });
  });
}
