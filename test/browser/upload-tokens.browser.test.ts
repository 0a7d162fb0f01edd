import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

/** The part of the response that a page can read. */
interface Learnt {
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: string | null;
  readonly json: any;
}

interface Sent {
  readonly url: string;
  readonly token: string;
  readonly size: number;
  readonly filename: string;
}

/** Runs in the page, as its author would write it. Rejects if the browser withholds the response. */
async function uploadInPage({ url, token, size, filename }: Sent): Promise<Learnt> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(size).fill(7)], filename));
  const response = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
  return {
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfter: response.headers.get('Retry-After'),
    json: await response.json(),
  };
}

describe.skipIf(noChromium)(
  `a page of another origin in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    let server: TestServer;
    let account: TestAccount;
    let pages: Server;
    let browser: Browser;
    let page: Page;
    let origin: string;

    beforeAll(async () => {
      server = await startTestServer({ rateLimits: true });
      account = await server.account();
      pages = createServer(
        (_req, res) =>
          void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>App</title>'),
      );
      await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
      origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
      browser = await sharedChromium();
      page = await browser.newPage();
      await page.goto(origin);
    });
    afterAll(async () => {
      await browser?.close();
      pages?.close();
      await server?.stop();
    });

    async function send(
      token: string,
      { size = 3000, filename = 'photo.png', query = 'name=photo' } = {},
    ): Promise<Learnt> {
      const learnt = await page.evaluate(uploadInPage, {
        url: `${server.running.urls.base}/v1/objects?${query}`,
        token,
        size,
        filename,
      });
      expect(learnt.requestId).toMatch(/./);
      return learnt;
    }

    const token = (pins: object = {}) => tokenOf(server, account, pins);

    test('uploads a file and reads its id', async () => {
      const { status, json } = await send(await token({ prefix: 'avatars', allowed_origins: [origin] }));
      expect(status).toBe(200);
      const info = await server.send(`/v1/objects/info?object=${json.response.id}`, { credential: account.credential });
      expect(info.json().response).toMatchObject({ size: 3000, original_name: 'photo.png' });
    });

    test('reads the reason of a rejection', async () => {
      const used = await token();
      await send(used);
      const outcomes = [
        await send('cbup_unknown'),
        await send(used),
        await send(await token({ allowed_origins: ['https://other.example'] })),
        await send(await token(), { query: 'name=..' }),
        await send(await token(), { filename: 'a.exe' }),
      ];
      expect(outcomes.map(({ status, json }) => [status, json.code])).toEqual([
        [401, 'ACCESS_DENIED'],
        [401, 'UPLOAD_TOKEN_USED'],
        [403, 'ORIGIN_NOT_ALLOWED'],
        [400, 'INVALID_OBJECT_NAME'],
        [400, 'BLOCKED_FILE_TYPE'],
      ]);
    });

    test("reads 413 while it is still sending: from a token's limit and from the general one", async () => {
      const { status, json } = await send(await token({ max_size: 1_048_576 }), { size: 30_000_000 });
      expect([status, json.code]).toEqual([413, 'FILE_TOO_LARGE']);
      const whole = await send(await token(), { size: 110_000_000 });
      expect([whole.status, whole.json.code]).toEqual([413, 'FILE_TOO_LARGE']);
    });

    test('reads 429 and the time to wait', async () => {
      const limited = await tokenOf(server, await server.account('hobby'), { max_uses: 2 });
      await send(limited);
      const { status, json, retryAfter } = await send(limited);
      expect([status, json.code, retryAfter]).toEqual([429, 'RATE_LIMITED', '1']);
    });

    test('in a sandboxed frame without an origin is rejected too', async () => {
      const allowed = await token({ allowed_origins: [origin] });
      await page.setContent('<iframe sandbox="allow-scripts" srcdoc="<!doctype html><title>Frame</title>"></iframe>');
      const frame = page.frames().find((one) => one !== page.mainFrame())!;
      await frame.waitForLoadState();
      const { status, json } = await frame.evaluate(uploadInPage, {
        url: `${server.running.urls.base}/v1/objects?name=photo`,
        token: allowed,
        size: 3000,
        filename: 'photo.png',
      });
      expect([status, json.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    });
  },
);
