import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { maxResentBytes } from '#server/features/shares/limits.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import {
  browserAccept,
  givePassword,
  openLink,
  pressDownload,
  remainingOf,
  shareFile,
  type TestShare,
} from '#test/support/shares.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
/** Larger than the part of a byte budget that exceeds the file. */
const largeBytes = isLong ? 40_000_000 : 20_000_000;

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const statusOf = async (share: TestShare, headers: Readonly<Record<string, string>>) =>
  (await openLink(server, share, headers)).status;
const remaining = (share: TestShare) => remainingOf(server, account, share);

describe('a link for one download', () => {
  it('gives its file to a client that probes first', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 1 } });
    expect((await openLink(server, share, { Range: 'bytes=0-0' })).body.equals(bytes.subarray(0, 1))).toBe(true);
    expect((await openLink(server, share, { Range: 'bytes=0-' })).body.equals(bytes)).toBe(true);
  });

  it('gives its file to a browser that shows the landing page and the password page first', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, {
      file: { bytes },
      body: { max_downloads: 1, landing: true, password: 'correct horse' },
    });
    const html = { Accept: browserAccept };
    expect(await statusOf(share, html)).toBe(401);
    const pass = {
      Cookie: (await givePassword(server, share, 'correct horse', html)).headers.get('set-cookie')!.split(';')[0]!,
    };
    expect(await statusOf(share, { ...html, ...pass })).toBe(200);
    expect((await openLink(server, share, pass, 'HEAD')).status).toBe(200);
    expect(await statusOf(share, { 'User-Agent': 'WhatsApp/2.23.20.0' })).toBe(200);
    expect(await remaining(share)).toBe(1);
    expect((await pressDownload(server, share, { ...html, ...pass })).body.equals(bytes)).toBe(true);
    const parts = [];
    for (const range of ['0-0', '0-1499', '1500-2998'])
      parts.push((await openLink(server, share, { ...html, ...pass, Range: `bytes=${range}` })).body);
    expect(Buffer.concat(parts.slice(1)).equals(bytes.subarray(0, 2999))).toBe(true);
    expect(await remaining(share)).toBe(0);
  });

  it('gives its file in 60 ranges at once', async () => {
    const bytes = someBytes(60 * 50_000);
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, part) =>
        openLink(server, share, { Range: `bytes=${part * 50_000}-${(part + 1) * 50_000 - 1}` }),
      ),
    );
    expect(Buffer.concat(answers.map(({ body }) => body)).equals(bytes)).toBe(true);
  });
});

describe('a link for two downloads', () => {
  it('serves several ranges, which get the whole file, from the rest of the first byte budget', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 2 } });
    for (const expected of [1, 1, 0]) {
      const answer = await openLink(server, share, { Range: 'bytes=0-9,100-109' });
      expect([answer.status, answer.body.equals(bytes), await remaining(share)]).toEqual([200, true, expected]);
    }
  });

  it("serves a range with a failed If-Range, so the whole file, from the first byte budget's rest", async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 2 } });
    const first = await openLink(server, share);
    const etag = first.headers.get('etag')!;
    expect(await statusOf(share, { Range: 'bytes=1500-', 'If-Range': etag })).toBe(206);
    expect(await remaining(share)).toBe(1);
    expect(await statusOf(share, { Range: 'bytes=1500-', 'If-Range': '"other"' })).toBe(200);
    expect(await remaining(share)).toBe(0);
  });
});

interface Attack {
  /** Received bytes, in sizes of the file. */
  readonly copies: number;
  readonly requests: number;
}

/** Requests the whole file in `parallel` ranges at once, repeatedly, until all requests are rejected. */
async function attack(share: TestShare, sizeBytes: number, parallel: number): Promise<Attack> {
  let received = 0;
  let requests = 0;
  for (;;) {
    const statuses = await Promise.all(
      Array.from({ length: parallel }, async (_, at) => {
        requests++;
        const response = await fetch(share.url, { headers: { Range: `bytes=${at % 2}-`, 'User-Agent': 'greedy' } });
        try {
          for await (const chunk of response.body!) if (response.status === 206) received += chunk.length;
        } catch {
          // The response was cut off, because the byte budget is used up.
        }
        return response.status;
      }),
    );
    if (statuses.every((status) => status === 410)) return { copies: received / sizeBytes, requests };
  }
}

describe('a client that asks until the byte budget is used up', () => {
  it.each([
    { cap: 1, sizeBytes: 3_000_000 },
    { cap: 3, sizeBytes: 3_000_000 },
    { cap: 1, sizeBytes: largeBytes },
    { cap: 3, sizeBytes: largeBytes },
  ])(
    'gets the byte budget of a link for $cap downloads of $sizeBytes bytes in 60 ranges at once, and no more',
    async ({ cap, sizeBytes }) => {
      const share = await shareFile(server, account, {
        file: { bytes: someBytes(sizeBytes) },
        body: { max_downloads: cap },
      });
      const { copies, requests } = await attack(share, sizeBytes, 60);
      const allowed = cap * (1 + Math.min(sizeBytes, maxResentBytes) / sizeBytes);
      if (isLong)
        console.log(
          `a cap of ${cap}, ${sizeBytes} bytes: ${copies.toFixed(2)} copies of ${allowed.toFixed(2)} allowed, ` +
            `${requests} requests`,
        );
      expect(copies).toBeLessThanOrEqual(allowed);
      expect(copies).toBeGreaterThan(cap);
      // A response that is cut off because the allowance is used up is not a fault.
      expect(server.log.filter(({ msg }) => msg === 'fault')).toEqual([]);
    },
  );
});
