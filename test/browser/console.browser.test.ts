import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Approver, signedIn } from '#test/support/activation.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { upload } from '#test/support/files.ts';
import { sunset } from '#test/pages/gallery-server.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const root = join(import.meta.dirname, '../..');

/** A page as the console is one: it calls the contract through the generated client alone. */
const page = '<!doctype html><title>Console</title><script type="module" src="/console/assets/main.js"></script>';
const main = `
import * as api from '/console/assets/client/index.js';
api.client.setConfig({ baseUrl: '' });
window.api = api;
window.show = (tag, src, sandbox) => new Promise((resolve) => {
  const element = document.createElement(tag);
  if (sandbox !== undefined) element.setAttribute('sandbox', sandbox);
  element.onload = element.onloadedmetadata = () => resolve('shown');
  element.onerror = () => resolve('refused');
  setTimeout(() => resolve('nothing'), 3000);
  const violated = ({ violatedDirective }) => resolve(violatedDirective);
  document.addEventListener('securitypolicyviolation', violated, { once: true });
  element.src = src;
  document.body.append(element);
});
`;

declare const api: any;
declare const document: { readonly cookie: string; readonly title: string };
declare const show: (tag: string, src: string, sandbox?: string) => Promise<string>;

describe.skipIf(noChromium)(`a console in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let folder: string;
  let server: TestServer;
  let browser: Browser;
  let account: TestAccount;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cubby-console-'));
    await mkdir(join(folder, 'assets'));
    await cp(join(root, 'dist/modules/client'), join(folder, 'assets/client'), { recursive: true });
    await writeFile(join(folder, 'index.html'), page);
    await writeFile(join(folder, 'assets/main.js'), main);
    [server, browser] = await Promise.all([startTestServer({ consoleFolder: folder }), sharedChromium()]);
    account = await server.account();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  async function open(base = server.running.urls.api): Promise<Page> {
    const opened = await (await browser.newContext()).newPage();
    await opened.goto(`${base}/console`);
    await opened.waitForFunction('window.api');
    return opened;
  }

  const signIn = (opened: Page, key: string) =>
    opened.evaluate(async (apiKey) => {
      const { data } = await api.startSession({ body: { api_key: apiKey } });
      api.client.setConfig({ headers: { 'X-Cubby-CSRF': data.response.csrf_token } });
      return data.response;
    }, key);

  it.each(['localhost', '127.0.0.1'])('keeps its session at http://%s, out of reach of scripts', async (host) => {
    const opened = await open(`http://${host}:${server.running.ports.api}`);
    await signIn(opened, account.credential);
    await opened.reload();
    await opened.waitForFunction('window.api');
    const seen = await opened.evaluate(async () => {
      const { data } = await api.getSession();
      api.client.setConfig({ headers: { 'X-Cubby-CSRF': data.response.csrf_token } });
      const made = await api.createKey({ body: { name: 'from the console', scopes: ['blob:read'] } });
      const ended = await api.deleteSession();
      const after = await api.getSession();
      return {
        account: data.response.account.id,
        made: made.data?.status,
        ended: ended.data?.status,
        after: after.error?.code,
        cookies: document.cookie,
      };
    });
    expect(seen).toEqual({
      account: account.id,
      made: 'success',
      ended: 'success',
      after: 'ACCESS_DENIED',
      cookies: '',
    });
    await opened.context().close();
  });

  it('keeps an operator signed in at the operator’s door', async () => {
    const opened = await open(`http://127.0.0.1:${server.running.ports.operator}`);
    const who = await opened.evaluate(
      async (key) => {
        await fetch('/v2/operator/session', { method: 'POST', body: JSON.stringify({ operator_key: key }) });
        return (await fetch('/v2/operator/session')).json() as Promise<any>;
      },
      await server.operatorKey(),
    );
    expect(who.response.key.name).toBe('test');
    await opened.context().close();
  });

  it('signs in with a device that a person approves, and keeps no key', async () => {
    const opened = await open();
    const codes = await opened.evaluate(async () => {
      const { data } = await api.requestDeviceCode({ body: { client_name: 'Console', scopes: ['blob:read'] } });
      return data;
    });
    const person: Approver = await signedIn(server, account.credential);
    await person.decide('approve', codes.user_code);
    const scopes = await opened.evaluate(async (deviceCode) => {
      const { data } = await api.pollDeviceToken({ body: { device_code: deviceCode } });
      const session = await api.startSession({ body: { api_key: data.access_token } });
      return session.data.response.scopes;
    }, codes.device_code);
    expect(scopes).toEqual(['blob:read']);
    await opened.context().close();
  });

  it('is of no use to a page at another port or host: it reads nothing and changes nothing', async () => {
    const opened = await open();
    await signIn(opened, account.credential);
    const keys = async () =>
      (await server.send('/v1/account/keys', { credential: account.credential })).json().response.keys.length;
    const before = await keys();
    const foreign = await opened.context().newPage();
    // Browsers send the cookie to all ports of a host. The page of health has no policy that stops scripts.
    for (const host of ['localhost', '127.0.0.1']) {
      await foreign.goto(`http://${host}:${server.running.ports.operator}/livez`);
      const outcomes = await foreign.evaluate(async (api) => {
        const body = JSON.stringify({ name: 'forged', scopes: ['*'] });
        const post = { method: 'POST', body, credentials: 'include' } as const;
        const read = await fetch(`${api}/v1/session`, { credentials: 'include' }).then(String, () => 'unreadable');
        const sent = await fetch(`${api}/v1/account/keys`, { ...post, mode: 'no-cors' }).then(({ type }) => type);
        const header = { headers: { 'X-Cubby-CSRF': 'x' } };
        const asked = await fetch(`${api}/v1/account/keys`, { ...post, ...header }).then(String, () => 'unreadable');
        return [read, sent, asked];
      }, `http://localhost:${server.running.ports.api}`);
      expect(outcomes).toEqual(['unreadable', 'opaque', 'unreadable']);
    }
    expect(await keys()).toBe(before);
    await opened.context().close();
  });

  it('shows files of links in frames and as pictures, and none of them runs', async () => {
    const opened = await open();
    const link = async (bytes: Buffer, filename: string) => {
      const query = { name: filename.replace('.', '-'), private: 'true' };
      const { id } = (await upload(server, account, { bytes, filename, query })).json().response;
      const search = new URLSearchParams({ object: id, redirect: 'false' });
      const { credential } = account;
      return (await server.send(`/v1/objects/download?${search}`, { credential })).json().response.url as string;
    };
    const html = await link(
      Buffer.from(`${'<p>text</p>'.repeat(100)}<script>top.document.title='ran'</script>`),
      'a.html',
    );
    const picture = await link(sunset(320, 200), 'a.png');
    const text = await link(Buffer.from('text '.repeat(200)), 'a.txt');
    const shown = await opened.evaluate(
      async ([page, image, plain]) => ({
        picture: await show('img', image!),
        text: await show('iframe', plain!, ''),
        // A browser saves a page of a file's owner, and does not show it.
        page: await show('iframe', page!, ''),
        elsewhere: await show('iframe', 'https://elsewhere.invalid/'),
        title: document.title,
      }),
      [html, picture, text],
    );
    expect(shown).toEqual({
      picture: 'shown',
      text: 'shown',
      page: 'nothing',
      elsewhere: 'frame-src',
      title: 'Console',
    });
    await opened.context().close();
  });
});
