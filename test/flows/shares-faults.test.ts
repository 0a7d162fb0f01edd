import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { openLink, remainingOf, shareFile, shareObject } from '#test/support/shares.ts';

const file = { bytes: someBytes(300_000) };

/** Wraps a blob store so that opened blobs return the bytes of a test's choice. */
function readingAs(read: () => Readable): (real: BlobStore) => BlobStore {
  return (real) => ({
    put: (...args) => real.put(...args),
    delete: (id) => real.delete(id),
    ids: () => real.ids(),
    open: async () => read(),
  });
}

it('a download that fails before its first byte is not charged', async () => {
  const server = await startTestServer({
    blobs: readingAs(
      () =>
        new Readable({
          read() {
            this.destroy(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
          },
        }),
    ),
  });
  const account = await server.account();
  const share = await shareFile(server, account, { file, body: { max_downloads: 1 } });
  await openLink(server, share).catch(() => undefined);
  await expect.poll(() => remainingOf(server, account, share)).toBe(1);
});

it('a download is charged if the client leaves after the first byte, and not if it leaves before', async () => {
  let isHeld = true;
  let source = new Readable();
  const server = await startTestServer({
    blobs: readingAs(
      () =>
        (source = new Readable({
          // Slowly, because the file must not end before the client leaves. The server notices that only at a write.
          read() {
            if (!isHeld) setTimeout(() => this.push(Buffer.alloc(100)), 10);
          },
        })),
    ),
  });
  const account = await server.account();
  const share = await shareFile(server, account, { file, body: { max_downloads: 1 } });
  const { hostname, port } = new URL(server.running.urls.files);
  const visit = async (until: () => Promise<unknown>) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = once(socket, 'close');
    let received = '';
    socket
      .on('data', (chunk) => (received += chunk.toString('latin1')))
      .write(`GET ${share.path} HTTP/1.1\r\nHost: files\r\n\r\n`);
    await until();
    await expect.poll(() => isHeld || received.length > 2000).toBe(true);
    socket.destroy();
    await closed;
  };
  await visit(() => expect.poll(() => remainingOf(server, account, share)).toBe(0));
  await expect.poll(() => remainingOf(server, account, share)).toBe(1);
  isHeld = false;
  await visit(() => expect.poll(() => remainingOf(server, account, share)).toBe(0));
  // The server has noticed the disconnect. It writes its record before that of the next link.
  await expect.poll(() => source.destroyed).toBe(true);
  await shareObject(server, account, share.object);
  expect(await remainingOf(server, account, share)).toBe(0);
});
