import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { BlobStoreFull } from '#server/domain/ports/blobs.ts';
import { DiskReserve } from '#server/stores/filesystem/disk-reserve.ts';
import { WatchedDisk } from '#server/stores/filesystem/watched-disk.ts';

const mib = 1024 * 1024;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'cubby-disk-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A simulated disk, with a clock that the test advances. */
interface TestDisk {
  freeBytes: number;
  nowMs: number;
  readings: number;
  readonly disk: WatchedDisk;
}

async function testDisk(
  freeBytes: number,
  minFreeBytes: number | null = 100 * mib,
  sizeBytes = 1000 * mib,
  holds: { readonly holdsRows?: boolean; readonly holdsBlobs?: boolean } = {},
): Promise<TestDisk> {
  const test = { freeBytes, nowMs: 0, readings: 0 };
  const read = async () => {
    test.readings++;
    return { bavail: Math.floor(test.freeBytes / 4096), bsize: 4096, blocks: sizeBytes / 4096 };
  };
  const disk = await WatchedDisk.open({
    folders: [folder],
    reservePath: join(folder, 'disk-reserve'),
    minFreeBytes,
    now: () => test.nowMs,
    read,
    ...holds,
  });
  test.nowMs += 2_000;
  test.readings = 0;
  return Object.assign(test, { disk });
}

const full = { name: 'Refusal', code: 'INSUFFICIENT_STORAGE' };

describe('WatchedDisk', () => {
  it('accepts bytes down to its minimum of free space, and refuses more', async () => {
    const { disk } = await testDisk(150 * mib);
    await disk.require(50 * mib);
    await expect(disk.require(50 * mib + 1)).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining('no room for these 52428801 bytes'),
    });
    expect(disk.state()).toMatchObject({ isFull: false, freeBytes: 150 * mib, floorBytes: 100 * mib });
  });

  it.each([
    [{ holdsRows: true, holdsBlobs: true }, 'refused', 'refused'],
    [{ holdsRows: true, holdsBlobs: false }, 'refused', 'refused'],
    [{ holdsRows: false, holdsBlobs: true }, 'taken', 'refused'],
    [{ holdsRows: false, holdsBlobs: false }, 'taken', 'taken'],
  ] as const)('full, with %o: a small file is %s, and a large one is %s', async (holds, small, large) => {
    const { disk } = await testDisk(50 * mib, 100 * mib, 1000 * mib, holds);
    const outcome = (bytes: number) =>
      disk.require(bytes).then(
        () => 'taken',
        ({ code }) => (code === full.code ? 'refused' : code),
      );
    expect([await outcome(1000), await outcome(mib)]).toEqual([small, large]);
    expect(disk.state().isFull).toBe(holds.holdsRows || holds.holdsBlobs);
  });

  it('refuses everything below its minimum', async () => {
    const { disk } = await testDisk(100 * mib);
    await expect(disk.require()).rejects.toMatchObject(full);
    await expect(disk.claim(1)).rejects.toBeInstanceOf(BlobStoreFull);
    expect(disk.state().isFull).toBe(true);
  });

  it('reads the free space once in a second, for any number of calls', async () => {
    const test = await testDisk(1000 * mib);
    await Promise.all(Array.from({ length: 500 }, () => test.disk.require(1000)));
    expect(test.readings).toBe(1);
    test.nowMs += 900;
    await test.disk.require(1000);
    expect(test.readings).toBe(1);
    test.nowMs += 200;
    await test.disk.require(1000);
    expect(test.readings).toBe(2);
  });

  it('reads the free space again before it refuses, at most ten times in a second', async () => {
    const test = await testDisk(50 * mib);
    await expect(test.disk.require(mib)).rejects.toMatchObject(full);
    test.freeBytes = 500 * mib;
    await expect(test.disk.require(mib)).rejects.toMatchObject(full);
    test.nowMs += 150;
    await test.disk.require(mib);
  });

  it('grants no space twice, so that parallel uploads never exceed it together', async () => {
    const { disk } = await testDisk(110 * mib);
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => disk.claim(mib)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('grants no space twice to bytes of unknown length, which claim it in steps', async () => {
    const { disk } = await testDisk(110 * mib);
    let coveredBytes = 0;
    const flow = async () => {
      const claim = await disk.claim(undefined);
      for (let bytes = 64 * 1024; ; bytes += 64 * 1024) {
        await claim.cover(bytes);
        claim.wrote(64 * 1024);
        coveredBytes += 64 * 1024;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: 30 }, flow));
    for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(BlobStoreFull) });
    expect(coveredBytes).toBeLessThanOrEqual(10 * mib);
    expect(coveredBytes).toBeGreaterThan(9 * mib);
  });

  it('reserves space for small files until they are stored, even when the free space is read meanwhile', async () => {
    const test = await testDisk(101 * mib);
    const outcomes = await Promise.allSettled(Array.from({ length: 500 }, () => test.disk.require(10_000)));
    const leaves = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(leaves.length).toBeGreaterThan(30);
    expect(leaves.length * 10_000).toBeLessThan(mib);
    // The bytes are not on the disk yet, so its free space has not changed.
    test.nowMs += 2_000;
    await expect(test.disk.require(10_000)).rejects.toMatchObject(full);
    for (const leave of [...leaves, ...leaves]) leave();
    await expect(test.disk.require(10_000)).rejects.toMatchObject(full);
    test.nowMs += 2_000;
    await test.disk.require(10_000);
  });

  it('frees the unused rest of a claim, and drops the parts that the system has counted', async () => {
    const test = await testDisk(110 * mib);
    const claim = await test.disk.claim(10 * mib);
    await expect(test.disk.claim(1)).rejects.toBeInstanceOf(BlobStoreFull);
    claim.wrote(4 * mib);
    test.freeBytes -= 4 * mib;
    claim[Symbol.dispose]();
    claim[Symbol.dispose]();
    (await test.disk.claim(6 * mib))[Symbol.dispose]();
    test.nowMs += 2_000;
    await test.disk.claim(6 * mib);
    await expect(test.disk.claim(1)).rejects.toBeInstanceOf(BlobStoreFull);
  });

  it.each([
    ['a small disk', 1000 * mib, 10 * mib, 4 * mib],
    ['a large disk', 1_000_000 * mib, 256 * mib, 64 * mib],
    ['a disk without a size', 0, 256 * mib, 64 * mib],
  ])(
    'keeps a hundredth of %s free, at most 256 MiB, and a part of that in its reserve',
    async (_which, sizeBytes, floorBytes, reserveBytes) => {
      const { disk } = await testDisk(500 * mib, null, sizeBytes);
      expect({ floorBytes: disk.floorBytes, reserveBytes: disk.reserve.fullBytes }).toEqual({
        floorBytes,
        reserveBytes,
      });
    },
  );

  it('fills its reserve only when the free space is above the minimum', async () => {
    const test = await testDisk(101 * mib, 100 * mib);
    await test.disk.refresh();
    expect(test.disk.state().reserveBytes).toBe(0);
    test.freeBytes = 200 * mib;
    await test.disk.refresh();
    expect(test.disk.state().reserveBytes).toBe(25 * mib);
    expect(statSync(join(folder, 'disk-reserve')).blocks * 512).toBeGreaterThanOrEqual(25 * mib);
    expect(statSync(join(folder, 'disk-reserve')).mode & 0o777).toBe(0o600);
  });

  it('keeps nothing free and has no reserve with a minimum of 0', async () => {
    const test = await testDisk(10 * mib, 0);
    await test.disk.refresh();
    await test.disk.require(10 * mib);
    expect(test.disk.state()).toMatchObject({ reserveBytes: 0, floorBytes: 0, isFull: false });
  });
});

describe('DiskReserve', () => {
  it('is released in parts, until nothing is left', async () => {
    const reserve = new DiskReserve(join(folder, 'disk-reserve'), 8 * mib);
    expect(reserve.release()).toBe(false);
    await Promise.all([reserve.restore(), reserve.restore()]);
    expect(reserve).toMatchObject({ bytes: 8 * mib, missingBytes: 0 });
    const sizes: number[] = [];
    while (reserve.release()) sizes.push(reserve.bytes / mib);
    expect(sizes).toEqual([6, 4.5, 3.375, 2.375, 1.375, 0.375, 0]);
    await reserve.restore();
    expect(reserve.bytes).toBe(8 * mib);
  });
});
