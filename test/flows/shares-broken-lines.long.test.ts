import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { maxResentBytes } from '#server/features/shares/limits.ts';
import { chosenReplicas } from '#test/support/chosen-store.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { openLink, remainingOf, shareFile, type TestShare } from '#test/support/shares.ts';

/** With each broken connection, several megabytes are lost in kernel buffers. */
const largeBytes = process.env.CUBBY_TEST_LONG === '1' ? 60_000_000 : 36_000_000;

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const client = { 'User-Agent': 'flaky/1.0' };

/**
 * Reads from `start` until `breaksAfter` bytes have arrived, then breaks the connection. The kernels have taken more
 * bytes by then.
 */
function visit(
  { path }: TestShare,
  start: number,
  breaksAfter: number,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const { hostname, port } = new URL(server.running.urls.files);
  const range = start > 0 ? `Range: bytes=${start}-\r\n` : '';
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    const socket = connect({ host: hostname, port: Number(port) });
    socket
      .on('error', () => {})
      .on('close', () => {
        const received = Buffer.concat(chunks);
        const head = received.indexOf('\r\n\r\n');
        resolve({ status: Number(received.toString('latin1', 9, 12)), body: received.subarray(head + 4) });
      });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      receivedBytes += chunk.length;
      if (receivedBytes < breaksAfter || socket.isPaused()) return;
      socket.pause();
      setTimeout(() => socket.resetAndDestroy(), 150);
    });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: files\r\nUser-Agent: ${client['User-Agent']}\r\nConnection: close\r\n${range}\r\n`,
    );
  });
}

describe('a link for one download, over a connection that breaks', () => {
  it.each([200_000, 1_000_000, 4_000_000])(
    'gives the rest of a file of %i bytes that kernel buffers held completely',
    async (sizeBytes) => {
      const bytes = someBytes(sizeBytes);
      const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 1 } });
      const { body: first } = await visit(share, 0, 60_000);
      expect(first.length).toBeLessThan(sizeBytes);
      const rest = await openLink(server, share, { ...client, Range: `bytes=${first.length}-` });
      expect(rest.status).toBe(206);
      expect(Buffer.concat([first, rest.body]).equals(bytes)).toBe(true);
      expect(await remainingOf(server, account, share)).toBe(0);
    },
  );

  // The proxy before several servers doubles the buffers of the kernel, which then hold more than 16 MiB.
  it.skipIf(chosenReplicas > 1)(
    `gives a file of ${largeBytes / 1e6} MB whose connection breaks twice, because less than 16 MiB are lost`,
    async () => {
      const bytes = someBytes(largeBytes);
      const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 1 } });
      let has = 0;
      let breaks = 0;
      for (; has < bytes.length; breaks++) {
        // Early, because the kernels give a connection larger buffers the longer it is quick.
        const { status, body } = await visit(share, has, breaks < 2 ? 400_000 : Infinity);
        expect([breaks, status]).toEqual([breaks, has === 0 ? 200 : 206]);
        expect(body.equals(bytes.subarray(has, has + body.length))).toBe(true);
        has += body.length;
      }
      expect(breaks).toBe(3);
      // The byte budget still has the bytes that were not lost.
      expect((await openLink(server, share, { ...client, Range: `bytes=1-${maxResentBytes}` })).status).toBe(410);
    },
  );

  it('gives no third copy to a client that requests the rest repeatedly', async () => {
    const sizeBytes = 300_000;
    const share = await shareFile(server, account, {
      file: { bytes: someBytes(sizeBytes) },
      body: { max_downloads: 1 },
    });
    await openLink(server, share, client);
    const statuses = [];
    for (let again = 1; again <= 3; again++)
      statuses.push((await openLink(server, share, { ...client, Range: `bytes=${again}-` })).status);
    expect(statuses).toEqual([206, 410, 410]);
  });
});
