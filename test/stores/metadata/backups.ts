import { describe, expect, it } from 'vitest';

import { content, object, part, started } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The rows of backups, and the blobs that they copy. */
export function backupsConformance(store: StoreInTest): void {
  const { name, write } = store;
  const toDelete = () => write((tx) => tx.contents.blobsToDelete(10));

  describe(`${name}: backups`, () => {
    it('give the installation one id for good', async () => {
      expect(await store.metadata.read.backups.installationId()).toBeUndefined();
      await write((tx) => tx.backups.nameInstallation('first'));
      await write((tx) => tx.backups.nameInstallation('second'));
      expect(await store.metadata.read.backups.installationId()).toBe('first');
    });

    it('are noted once for each target', async () => {
      await write((tx) => tx.backups.note({ target: '/b', generation: 'g1', completedAt: 1 }));
      await write((tx) => tx.backups.note({ target: '/a', generation: 'g2', completedAt: 2 }));
      await write((tx) => tx.backups.note({ target: '/b', generation: 'g3', completedAt: 3 }));
      expect(await store.metadata.read.backups.list()).toEqual([
        { target: '/a', generation: 'g2', completedAt: 2 },
        { target: '/b', generation: 'g3', completedAt: 3 },
      ]);
    });

    it('have one run for each target, whose figures only it writes', async () => {
      const run = {
        ...{ target: '/b', runId: 'one', startedAt: 1, seenAt: 2, endedAt: null, doing: 'copying files' },
        ...{ stepBeganAt: 1, doneBytes: 2 ** 40, totalBytes: 2 ** 41, doneFiles: 3, totalFiles: 4, error: null },
      };
      const other = { ...run, target: '/a', runId: 'other', doneBytes: null, totalBytes: null, doneFiles: null };
      await write((tx) => tx.backups.beginRun(run));
      await write((tx) => tx.backups.beginRun(other));
      await write((tx) => tx.backups.noteRun({ ...run, seenAt: 5, endedAt: 5, error: 'why' }));
      expect(await store.metadata.read.backups.runs()).toEqual([
        other,
        { ...run, seenAt: 5, endedAt: 5, error: 'why' },
      ]);
      await write((tx) => tx.backups.beginRun({ ...run, runId: 'two' }));
      await write((tx) => tx.backups.noteRun({ ...run, seenAt: 9 }));
      expect((await store.metadata.read.backups.runs())[1]).toEqual({ ...run, runId: 'two' });
    });

    it('hold the bytes of deleted files until they end or expire', async () => {
      const now = await write(async (tx) => tx.now);
      await write((tx) => tx.reservations.markForDeletion('b-1'));
      await write((tx) => tx.backups.hold('one', now + 1000));
      await write((tx) => tx.backups.hold('two', now + 5000));
      expect(await toDelete()).toEqual([]);
      await write((tx) => tx.backups.endHold('one'));
      expect(await write((tx) => tx.backups.isHoldOpen('one'))).toBe(false);
      expect(await write((tx) => tx.backups.isHoldOpen('two'))).toBe(true);
      expect(await toDelete()).toEqual([]);
      store.clock.advance(5001);
      expect(await write((tx) => tx.backups.isHoldOpen('two'))).toBe(false);
      expect(await toDelete()).toEqual(['b-1']);
    });
  });

  describe(`${name}: named blobs`, () => {
    it('are those of files and parts outside of rows, by id, with the hashes that rows have', async () => {
      const small = { blobId: 'b-0', sizeBytes: 1, inline: new Uint8Array([1]) };
      const blob = (blobId: string) => ({ blobId, sizeBytes: 3, inline: null, crc32: 1 });
      await write(async (tx) => {
        await tx.contents.add(content('content-1', [blob('b-4')]));
        await tx.objects.put(object);
        await tx.contents.add(content('content-2', [blob('b-1'), small, blob('b-3')]));
        await tx.chunkedUploads.open(started, 5, 0);
        await tx.chunkedUploads.putPart(started.id, { ...part(1), md5: 'm', blob: blob('b-2') }, 2000, 1e9);
      });
      const none = { sha256: null, md5: null };
      const all = [
        { blobId: 'b-1', sizeBytes: 3, ...none },
        { blobId: 'b-2', sizeBytes: 3, sha256: null, md5: 'm' },
        { blobId: 'b-3', sizeBytes: 3, ...none },
        { blobId: 'b-4', sizeBytes: 3, sha256: object.sha256, md5: null },
      ];
      expect(await store.metadata.read.contents.named('', 10)).toEqual(all);
      expect(await store.metadata.read.contents.named('', 3)).toEqual(all.slice(0, 3));
      expect(await store.metadata.read.contents.named('b-2', 1)).toEqual([all[2]]);
    });

    it('are told once if both a file and a part of its upload name them', async () => {
      const blob = { blobId: 'b-1', sizeBytes: 3, inline: null, crc32: 1 };
      await write(async (tx) => {
        await tx.contents.add(content('content-1', [blob]));
        await tx.objects.put(object);
        await tx.chunkedUploads.open(started, 5, 0);
        await tx.chunkedUploads.putPart(started.id, { ...part(1), md5: 'm', blob }, 2000, 1e9);
      });
      const told = { blobId: 'b-1', sizeBytes: 3, sha256: object.sha256, md5: 'm' };
      expect(await store.metadata.read.contents.named('', 10)).toEqual([told]);
    });

    it('are not those that are marked for deletion', async () => {
      await write((tx) => tx.contents.add(content('content-1')));
      await write((tx) => tx.contents.release('content-1'));
      expect(await store.metadata.read.contents.named('', 10)).toEqual([]);
      expect(await store.metadata.read.contents.marked('', 10)).toEqual(['content-1-blob']);
      expect(await store.metadata.read.contents.marked('content-1-blob', 10)).toEqual([]);
    });
  });
}
