import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { serverActor } from '#server/domain/audit/audit-entry.ts';
import type { StoreProblem } from '#server/domain/store-check/problem.ts';
import { scrub, type ScrubSettings } from '#server/domain/store-check/scrub.ts';
import { scrubStatus } from '#server/domain/store-check/scrub-status.ts';
import { startScrub } from '#server/domain/store-check/start-scrub.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { object } from '#test/stores/metadata/rows.ts';

const dayMs = 86_400_000;
const periodMs = 30 * dayMs;
const sizeBytes = 20_000;

/** Stores files of one blob each. Returns the ids of their blobs, in the order of their contents, and their bytes. */
async function files(stores: TestStores, count: number): Promise<Map<string, Buffer>> {
  const account = await stores.account();
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < count; at++) {
    const [bytes, blobId] = [someBytes(sizeBytes), stores.ids.opaqueId()];
    await stores.blobs.put(blobId, Readable.from([bytes]));
    await stores.metadata.atomically(async (tx) => {
      const contentId = `content-${String(at).padStart(4, '0')}`;
      await tx.contents.add({ id: contentId, sizeBytes, crc32: 1, blobs: [{ blobId, sizeBytes, inline: null }] });
      await tx.accounts.addUsage(account.id, { bytes: sizeBytes, objects: 1 });
      await tx.objects.put(row(account.id, contentId, `f-${at}`, sha256(bytes)));
    });
    blobs.set(blobId, bytes);
  }
  return blobs;
}

function row(accountId: string, contentId: string, key: string, hash: string): StoredObject {
  return { ...object, accountId, space: 'private', key, contentId, sizeBytes, sha256: hash, expiresAt: null };
}

/** Returns the account that a report names. */
function accountIdOf({ detail }: StoreProblem): string {
  return /account (\d{18})/.exec(detail)![1]!;
}

/** A scrub with a clock of its own, and what it reported. */
function watched(stores: TestStores, more: Partial<ScrubSettings> = {}) {
  const seen = { problems: [] as StoreProblem[], bytes: 0, pausedMs: 0 };
  let nowMs = 0;
  const settings: ScrubSettings = {
    periodMs,
    blobs: stores.blobs,
    quarantine: { put: async () => {}, takeBack: async () => false, async *ids() {}, delete: async () => {} },
    openBackup: undefined,
    onNoBackup: () => {},
    nowMs: () => (nowMs += 10),
    pause: async (ms) => void (seen.pausedMs += ms),
    onDamage: (problem) => void seen.problems.push(problem),
    onRead: (bytes) => void (seen.bytes += bytes),
    ...more,
  };
  return {
    seen,
    at: (now: number, signal = new AbortController().signal) =>
      scrub({ metadata: stores.metadata, scrub: settings, signal }, now),
  };
}

describe('scrub()', () => {
  it('reads everything once in its period, evenly, and then begins anew', async () => {
    const stores = await openTestStores();
    await files(stores, 60);
    const { seen, at } = watched(stores);
    await at(0);
    for (let day = 1; day <= 15; day++) await at(day * dayMs);
    expect(seen.bytes / sizeBytes).toBeGreaterThan(28);
    expect(seen.bytes / sizeBytes).toBeLessThan(33);
    for (let day = 16; day < 30; day++) await at(day * dayMs);
    expect(seen.bytes / sizeBytes).toBe(58);
    for (const day of [29.5, 29.9, 29.99]) await at(day * dayMs);
    expect(seen.bytes / sizeBytes).toBe(60);
    await at(30 * dayMs);
    await at(31 * dayMs);
    expect(seen.bytes / sizeBytes).toBeGreaterThan(60);
    expect(seen.pausedMs).toBeGreaterThan(0);
  });

  it('reports each damaged and each lost file, and forgets them when they are whole again', async () => {
    const stores = await openTestStores();
    const whole = await files(stores, 6);
    const ids = [...whole.keys()];
    const { seen, at } = watched(stores);
    await at(0);
    const [damaged, lost] = [ids[2]!, ids[4]!];
    await stores.blobs.delete(damaged);
    await stores.blobs.put(damaged, Readable.from([someBytes(sizeBytes)]));
    await stores.blobs.delete(lost);
    expect(await at(periodMs)).toBe(2);
    expect(seen.problems.map(({ subject, repair }) => [subject, repair])).toEqual([
      ['content-0002', null],
      ['content-0004', null],
    ]);
    expect(seen.problems[0]!.detail).toMatch(/SHA-256 of the bytes is another .* f-2 of account \d{18}/);
    expect(await stores.metadata.read.storeCheck.damagedCount()).toBe(2);
    // Found again, and told once.
    await at(2 * periodMs - 1);
    await at(2 * periodMs);
    const activity = async () => {
      const scan = { accountId: accountIdOf(seen.problems[0]!), limit: 10 };
      return (await stores.metadata.read.activity.scan(scan)).map(({ type, object: file }) => [type, file?.key]);
    };
    expect(await activity()).toEqual([
      ['object.damaged', 'f-4'],
      ['object.damaged', 'f-2'],
    ]);
    seen.problems.splice(2);
    // A file that is deleted is not damaged any more, and neither is one whose bytes are back.
    await stores.metadata.atomically(async (tx) => {
      await tx.objects.remove({ accountId: accountIdOf(seen.problems[1]!), space: 'private', key: 'f-4' });
      await tx.contents.release('content-0004');
    });
    expect(await stores.metadata.read.storeCheck.damagedCount()).toBe(1);
    await stores.blobs.delete(damaged);
    await stores.blobs.put(damaged, Readable.from([whole.get(damaged)!]));
    await at(3 * periodMs);
    await at(4 * periodMs);
    expect(await stores.metadata.read.storeCheck.damagedCount()).toBe(0);
    expect(seen.problems).toHaveLength(2);
    expect((await activity())[0]).toEqual(['object.repaired', 'f-2']);
  });

  it('stops at its signal, and goes on where it was', async () => {
    const stores = await openTestStores();
    await files(stores, 20);
    const stopping = new AbortController();
    let reads = 0;
    const { seen, at } = watched(stores, { onRead: () => void (++reads === 5 && stopping.abort()) });
    await at(0, stopping.signal);
    await at(periodMs - 1, stopping.signal);
    expect(reads).toBe(5);
    const rest = watched(stores);
    await rest.at(periodMs - 1);
    expect(rest.seen.bytes / sizeBytes).toBeLessThanOrEqual(16);
    expect(rest.seen.bytes / sizeBytes).toBeGreaterThanOrEqual(15);
    expect(seen.problems).toEqual([]);
  });

  it('reads nothing while nothing is due, also at its first run', async () => {
    const stores = await openTestStores();
    await files(stores, 3);
    const { seen, at } = watched(stores);
    await at(1_000);
    await at(1_000);
    expect(seen.bytes).toBe(0);
    expect(await stores.metadata.read.storeCheck.scrubPosition()).toMatchObject({ beganAt: 1_000, readFiles: 0 });
    await at(1_000 + periodMs / 3);
    expect(seen.bytes).toBe(sizeBytes);
    await at(1_000 + periodMs / 3);
    expect(seen.bytes).toBe(sizeBytes);
  });

  it('reads everything at once in a round that an operator asked for, and then goes on as before', async () => {
    const stores = await openTestStores();
    await files(stores, 60);
    const { seen, at } = watched(stores);
    const position = () => stores.metadata.read.storeCheck.scrubPosition();
    const now = stores.clock.now();
    await at(now - periodMs / 2);
    await at(now);
    expect(seen.bytes / sizeBytes).toBe(30);
    await startScrub(stores, serverActor);
    await startScrub(stores, serverActor);
    expect(await stores.stored("SELECT action FROM audit_log WHERE action = 'scrub.started'")).toHaveLength(1);
    expect(await scrubStatus({ ...stores, scrub: { periodMs } })).toMatchObject({ leftMs: null, total: { files: 60 } });
    await at(now);
    expect(seen.bytes / sizeBytes).toBe(90);
    await at(now);
    expect(await position()).toMatchObject({ readFiles: 60, requestedAt: now, endedAt: now });
    expect(seen.bytes / sizeBytes).toBe(90);
    await at(now + periodMs);
    expect(await position()).toMatchObject({ beganAt: now + periodMs, requestedAt: null, endedAt: null });
  });

  it('gives way to a round that an operator asks for while it reads', async () => {
    const stores = await openTestStores();
    await files(stores, 4);
    let asked: Promise<void> | undefined;
    const { seen, at } = watched(stores, { onRead: () => void (asked ??= startScrub(stores, serverActor)) });
    await at(0);
    await at(periodMs - 1);
    await asked;
    const position = await stores.metadata.read.storeCheck.scrubPosition();
    expect(position).toMatchObject({ readBytes: 0, requestedAt: stores.clock.now() });
    await at(stores.clock.now());
    expect(await stores.metadata.read.storeCheck.scrubPosition()).toMatchObject({ readFiles: 4 });
    expect(seen.problems).toEqual([]);
  });

  it('runs only rounds that an operator asks for when it is switched off', async () => {
    const stores = await openTestStores();
    await files(stores, 2);
    const { at } = watched(stores, { periodMs: null });
    await at(5);
    expect(await stores.metadata.read.storeCheck.scrubPosition()).toBeUndefined();
    await startScrub(stores, serverActor);
    await at(stores.clock.now());
    await at(stores.clock.now());
    expect(await stores.metadata.read.storeCheck.scrubPosition()).toMatchObject({ readFiles: 2 });
  });

  it('does nothing without its settings', async () => {
    const stores = await openTestStores();
    expect(await scrub({ metadata: stores.metadata }, 0)).toBe(0);
    expect(await stores.metadata.read.storeCheck.scrubPosition()).toBeUndefined();
  });
});
