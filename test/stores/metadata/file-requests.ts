import { describe, expect, it } from 'vitest';

import type { FileRequest } from '#server/features/file-requests/file-request.ts';
import type { Sender, SentFile } from '#server/features/file-requests/sender.ts';
import type { FileRequestFilter } from '#server/features/file-requests/table.ts';
import { prefixes } from '#test/support/parsed.ts';
import { accountId, bareStarted } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The tables of file requests, their senders and what these have sent. */
export function fileRequestsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: file requests`, () => {
    const [inbox, deeper, other] = prefixes('inbox', 'inbox/deeper', 'inboxes');
    const request: FileRequest = {
      id: 'request-1',
      linkHash: 'link-1',
      sealedLink: 'sealed',
      accountId,
      prefix: inbox!,
      title: 'Ä title',
      note: 'two\nlines',
      createdAt: 1000,
      deadlineAt: 5000,
      graceMs: 60,
      maxFiles: 3,
      maxBytes: 1_099_511_627_776,
      maxFileBytes: 512,
      allowedExtensions: ['pdf', 'tar.gz'],
      passwordHash: 'scrypt$1',
      hasSenderFolders: true,
      closedAt: null,
      deletedAt: null,
      files: 0,
      bytes: 0,
      senders: 0,
    };
    const plain: FileRequest = {
      ...request,
      id: 'request-2',
      linkHash: 'link-2',
      prefix: deeper!,
      note: null,
      createdAt: 2000,
      deadlineAt: null,
      maxFiles: null,
      maxBytes: null,
      maxFileBytes: null,
      allowedExtensions: null,
      passwordHash: null,
      hasSenderFolders: false,
    };
    const closed: FileRequest = { ...plain, id: 'request-3', linkHash: 'link-3', prefix: other!, closedAt: 3000 };
    const sender: Sender = {
      requestId: request.id,
      hash: 'sender-1',
      name: 'Ann',
      folder: 'Ännchen',
      createdAt: 1500,
      refused: [{ name: 'a.exe', code: 'BLOCKED_FILE_TYPE', message: 'No.' }],
    };
    const file: SentFile = {
      requestId: request.id,
      senderHash: sender.hash,
      number: 1,
      name: 'photos/ä.jpg',
      sizeBytes: 0,
      sha256: null,
      receivedAt: 1600,
    };
    const filter: FileRequestFilter = {
      accountId,
      id: undefined,
      state: undefined,
      prefix: '',
      within: null,
      behind: undefined,
    };
    const all = [request, plain, closed];
    const added = () =>
      write(async (tx) => {
        for (const one of all) await tx.fileRequests.add(one);
      });
    const listed = async (more: Partial<FileRequestFilter> = {}, now = 4000, limit = 10) =>
      (await store.metadata.read.fileRequests.listOf({ ...filter, ...more }, now, limit)).map(({ id }) => id);

    it('are found as they were added, by their id and by their link', async () => {
      await added();
      const { read } = store.metadata;
      for (const one of all) {
        expect(await read.fileRequests.find(one.id)).toEqual(one);
        expect(await read.fileRequests.findByLink(one.linkHash)).toEqual(one);
      }
      expect(await read.fileRequests.find('request-4')).toBeUndefined();
      await write((tx) => tx.fileRequests.renewLink(request.id, { linkHash: 'link-9', sealedLink: 'resealed' }));
      expect(await read.fileRequests.findByLink('link-1')).toBeUndefined();
      expect(await read.fileRequests.findByLink('link-9')).toMatchObject({ id: request.id, sealedLink: 'resealed' });
      expect(await read.fileRequests.listAfter(request.id, 1)).toEqual([{ id: plain.id, sealedLink: 'sealed' }]);
    });

    it('are listed newest first, by state, folder, reach and place', async () => {
      await added();
      expect(await listed()).toEqual(['request-3', 'request-2', 'request-1']);
      expect(await listed({}, 4000, 2)).toEqual(['request-3', 'request-2']);
      expect(await listed({ state: 'open' })).toEqual(['request-2', 'request-1']);
      expect(await listed({ state: 'open' }, 5000)).toEqual(['request-2']);
      expect(await listed({ state: 'expired' }, 5000)).toEqual(['request-1']);
      expect(await listed({ state: 'closed' })).toEqual(['request-3']);
      expect(await listed({ prefix: 'inbox' })).toHaveLength(3);
      expect(await listed({ prefix: 'inbox/' })).toEqual(['request-2']);
      expect(await listed({ prefix: 'inb_x' })).toEqual([]);
      expect(await listed({ within: [inbox!] })).toEqual(['request-2', 'request-1']);
      expect(await listed({ within: [] })).toEqual([]);
      expect(await listed({ id: 'request-1', accountId: 'another' })).toEqual([]);
      expect(await listed({ behind: { createdAt: 2000, id: 'request-3' } })).toEqual(['request-2', 'request-1']);
    });

    it('change, and disappear when they are deleted, before their rows do', async () => {
      await added();
      const changed = { ...request, title: 'b', note: null, deadlineAt: null, maxFiles: 9, closedAt: 7, graceMs: 0 };
      const more = { allowedExtensions: null, hasSenderFolders: false, passwordHash: null, maxBytes: 1 };
      await write((tx) => tx.fileRequests.change({ ...changed, ...more }));
      const { read } = store.metadata;
      expect(await read.fileRequests.find(request.id)).toEqual({ ...changed, ...more });
      expect(await write((tx) => tx.fileRequests.countOf(accountId))).toBe(3);
      await write(async (tx) => {
        await tx.fileRequests.addSender(sender);
        await tx.fileRequests.addFile(file);
        await tx.fileRequests.delete(request.id, 8000);
      });
      expect(await read.fileRequests.find(request.id)).toBeUndefined();
      expect(await read.fileRequests.findByLink(request.linkHash)).toBeUndefined();
      expect(await listed()).toEqual(['request-3', 'request-2']);
      expect(await write((tx) => tx.fileRequests.countOf(accountId))).toBe(2);
      const forget = (limit: number) => write((tx) => tx.fileRequests.forgetDeleted(limit));
      expect([await forget(1), await forget(10), await forget(10)]).toEqual([1, 2, 0]);
      expect(await read.fileRequests.listAfter('', 10)).toHaveLength(2);
    });

    it('note their end once', async () => {
      await added();
      const { read } = store.metadata;
      expect(await read.fileRequests.expired(4999, 10)).toEqual([]);
      expect(await read.fileRequests.expired(5000, 10)).toEqual([request]);
      const note = (isTold: boolean) => write((tx) => tx.fileRequests.noteEnd(request.id, isTold));
      expect([await note(true), await note(true), await note(false), await note(true)]).toEqual([
        true,
        false,
        true,
        true,
      ]);
      expect(await read.fileRequests.expired(5000, 10)).toEqual([]);
    });

    it('reserve space until it is released', async () => {
      await added();
      const held = () => write((tx) => tx.fileRequests.reservedOf(request.id));
      await write(async (tx) => {
        await tx.fileRequests.reserve('a', request.id, { files: 1, bytes: 0 });
        await tx.fileRequests.reserve('b', request.id, { files: 1, bytes: 5 });
        await tx.fileRequests.reserve('c', plain.id, { files: 1, bytes: 7 });
      });
      expect(await write((tx) => tx.fileRequests.reserveMore('a', 1_099_511_627_776))).toBe(true);
      expect(await held()).toEqual({ files: 2, bytes: 1_099_511_627_781 });
      expect(await write((tx) => tx.fileRequests.release('a'))).toBe(true);
      expect(await write((tx) => tx.fileRequests.release('a'))).toBe(false);
      expect(await write((tx) => tx.fileRequests.reserveMore('a', 1))).toBe(false);
      expect(await held()).toEqual({ files: 1, bytes: 5 });
      expect(await write((tx) => tx.fileRequests.releaseAll('a process that never ran'))).toBe(0);
      expect(await write((tx) => tx.fileRequests.releaseAll())).toBe(2);
      expect(await held()).toEqual({ files: 0, bytes: 0 });
    });

    it('reserve what open uploads have announced, and do not count them as those of the account', async () => {
      await added();
      const announcement = {
        senderHash: 'sender-1',
        senderName: 'Ann',
        senderAddress: '192.0.2.1',
        placeFreedAt: null,
      };
      const upload = { ...bareStarted, id: 'upload-1', declaredBytes: 1_099_511_627_776, sentTo: request.id };
      const { id: uploadId } = upload;
      await write(async (tx) => {
        await tx.chunkedUploads.openSent(upload);
        await tx.fileRequests.announce(uploadId, announcement);
        await tx.chunkedUploads.openSent({ ...upload, id: 'upload-2', declaredBytes: 5 });
        await tx.fileRequests.announce('upload-2', { ...announcement, senderHash: 'sender-2' });
      });
      const announced = () => write((tx) => tx.fileRequests.announcedOf(request.id, 0));
      expect(await announced()).toEqual({ files: 2, bytes: 1_099_511_627_781 });
      const open = await write((tx) => tx.fileRequests.openUploads(request.id));
      expect(open.map(({ announcement: { senderHash } }) => senderHash).toSorted()).toEqual(['sender-1', 'sender-2']);
      const { read } = store.metadata;
      const stored = await read.chunkedUploads.find(uploadId);
      expect(stored).toMatchObject(upload);
      expect(await read.fileRequests.findUpload(uploadId)).toEqual({ ...stored, announcement });
      expect(await write((tx) => tx.fileRequests.findUpload(uploadId))).toEqual({ ...stored, announcement });
      expect(await write((tx) => tx.chunkedUploads.open({ ...bareStarted, id: 'upload-3' }, 1, 0))).toBe(true);
      expect(await read.fileRequests.findUpload('upload-3')).toBeUndefined();
      await write((tx) => tx.chunkedUploads.abort(uploadId, 10));
      expect(await announced()).toEqual({ files: 1, bytes: 5 });
      expect(await write((tx) => tx.fileRequests.announcedOf(plain.id, 0))).toEqual({ files: 0, bytes: 0 });
    });

    it('reserve space as long as uploads are active, until it is freed, and again from then on', async () => {
      await added();
      const announcement = { senderHash: 'a', senderName: null, senderAddress: null, placeFreedAt: null };
      const upload = { ...bareStarted, declaredBytes: 5, sentTo: request.id };
      await write(async (tx) => {
        for (const id of ['upload-1', 'upload-2']) {
          await tx.chunkedUploads.openSent({ ...upload, id, startedAt: id === 'upload-1' ? 100 : 200 });
          await tx.fileRequests.announce(id, announcement);
        }
        await tx.fileRequests.reserve('a', request.id, { files: 1, bytes: 7 });
      });
      const of = (after: number, except?: string) =>
        write((tx) => tx.fileRequests.announcedOf(request.id, after, except));
      expect([await of(99), await of(100), await of(99, 'upload-2')]).toEqual([
        { files: 2, bytes: 10 },
        { files: 1, bytes: 5 },
        { files: 1, bytes: 5 },
      ]);
      const { read } = store.metadata;
      const underWay = async (after: number) =>
        Object.fromEntries(await read.fileRequests.underWayOf([request.id, plain.id], after));
      expect(await underWay(99)).toEqual({ [request.id]: { files: 3, bytes: 17 } });
      expect(await read.fileRequests.underWayOf([], 0)).toEqual(new Map());
      await write(async (tx) => {
        await tx.fileRequests.freePlaces(request.id, 300);
        await tx.fileRequests.releaseOf(request.id);
      });
      expect(await underWay(0)).toEqual({});
      await write(async (tx) => {
        await tx.chunkedUploads.keepOpen('upload-1', 400);
        await tx.fileRequests.holdPlace('upload-1');
      });
      expect(await underWay(399)).toEqual({ [request.id]: { files: 1, bytes: 5 } });
    });

    it('forget what they keep of an upload together with it', async () => {
      await added();
      const announcement = { senderHash: 'a', senderName: null, senderAddress: null, placeFreedAt: null };
      await write(async (tx) => {
        await tx.chunkedUploads.openSent({ ...bareStarted, id: 'upload-1', declaredBytes: 5, sentTo: request.id });
        await tx.fileRequests.announce('upload-1', announcement);
        await tx.chunkedUploads.abort('upload-1', 10);
        await tx.chunkedUploads.forgetClosed(10, 10);
      });
      expect(await store.metadata.read.fileRequests.findUpload('upload-1')).toBeUndefined();
      // The same id again would be refused if the row were left.
      await write(async (tx) => {
        await tx.chunkedUploads.openSent({ ...bareStarted, id: 'upload-1', declaredBytes: 5, sentTo: request.id });
        await tx.fileRequests.announce('upload-1', announcement);
      });
    });

    it('count what arrives, with its sender', async () => {
      await added();
      const { read } = store.metadata;
      await write(async (tx) => {
        await tx.fileRequests.addSender(sender);
        for (const number of [1, 2, 3]) await tx.fileRequests.addFile({ ...file, number });
        await tx.fileRequests.count(request.id, { bytes: 7, senders: 1 });
        await tx.fileRequests.count(request.id, { bytes: 1_099_511_627_776, senders: 0 });
      });
      expect(await read.fileRequests.find(request.id)).toMatchObject({
        files: 2,
        bytes: 1_099_511_627_783,
        senders: 1,
      });
      expect(await read.fileRequests.findSender(request.id, sender.hash)).toEqual(sender);
      expect(await read.fileRequests.findSender(plain.id, sender.hash)).toBeUndefined();
      const numbers = (await read.fileRequests.filesOf(request.id, sender.hash, 2)).map(({ number }) => number);
      expect(numbers).toEqual([2, 3]);
      await write((tx) => tx.fileRequests.noteRefused(request.id, sender.hash, []));
      expect(await read.fileRequests.findSender(request.id, sender.hash)).toEqual({ ...sender, refused: [] });
      const isTaken = (folder: string) => write((tx) => tx.fileRequests.hasFolder(request.id, folder));
      expect([await isTaken('ÄNNCHEN'), await isTaken('Ann')]).toEqual([true, false]);
    });
  });
}
