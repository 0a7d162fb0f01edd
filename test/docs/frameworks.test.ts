import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';

import { formWith, someBytes, upload } from '#test/support/files.ts';
import { pairOf, startGateway, type Gateway } from '../s3/gateway.ts';
import { presign, type Endpoint } from '../s3/signed-request.ts';
import { importForServer, startPage, writePage } from './framework-code.ts';
import { blocksOf } from './guide-code.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync('docs/start/frameworks/*.md', { cwd: root }).map((path) => basename(path, '.md'));

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** The routes of a page, however its framework calls them. */
interface App {
  /** Requests a token. */
  token(): Promise<Response>;
  /** Lists the stored files. */
  list(): Promise<readonly unknown[]>;
  /** Opens a file. */
  link(id: string): Promise<Response>;
}

/** Uploads, lists and opens a file as the page does, and tries to open others. */
async function tryOut(app: App): Promise<void> {
  const { server, account } = gateway;
  const { token } = (await (await app.token()).json()) as { readonly token: string };
  const bytes = someBytes();
  const stored = await server.send('/v1/objects?name=note&prefix=inbox', {
    method: 'POST',
    credential: token,
    body: formWith(bytes, 'note.txt', 'text/plain'),
  });
  const { id } = stored.json().response as { readonly id: string };
  expect(id).toMatch(/^prv\/\d+\/inbox\/note_\w+\.txt$/);
  expect(await app.list()).toContainEqual({ id, name: 'note.txt' });

  const answer = await app.link(id);
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([302, 'no-store']);
  const opened = await fetch(answer.headers.get('Location')!);
  expect(Buffer.from(await opened.arrayBuffer())).toEqual(bytes);

  const secret = (await upload(server, account, { query: { prefix: 'secrets', private: 'true' } })).json().response;
  for (const other of [secret.id, id.replace('note', 'none'), '']) expect((await app.link(other)).status).toBe(404);
}

const environment = () => ({ CUBBY_URL: gateway.server.running.urls.api, CUBBY_KEY: gateway.account.credential });
const address = 'http://app.example';
const linkTo = (id: string) => new Request(`${address}/api/file?id=${encodeURIComponent(id)}`);

describe('the pages of frameworks that speak requests and responses of the web', () => {
  /** For each page its files with the three parts, and how the framework calls them. */
  const calls: Readonly<Record<string, { readonly files: readonly string[]; app(...parts: readonly any[]): App }>> = {
    nextjs: {
      files: ['app/api/upload-token/route.ts', 'lib/cubby.ts', 'app/api/file/route.ts'],
      app: (token, cubby, file) => ({ token: token.POST, list: cubby.listFiles, link: (id) => file.GET(linkTo(id)) }),
    },
    nuxt: {
      files: ['server/api/upload-token.post.ts', 'server/api/files.get.ts', 'server/api/file.get.ts'],
      app: (token, files, file) => ({
        token: async () => Response.json(await token.default({})),
        list: async () => (await files.default({})).files,
        link: (id) => file.default(linkTo(id)),
      }),
    },
    sveltekit: {
      files: [
        'src/routes/api/upload-token/+server.ts',
        'src/routes/files/+page.server.ts',
        'src/routes/api/file/+server.ts',
      ],
      app: (token, page, file) => ({
        token: token.POST,
        list: async () => (await page.load()).files,
        link: (id) => file.GET({ url: new URL(linkTo(id).url) }),
      }),
    },
    'react-router': {
      files: ['app/routes/upload-token.ts', 'app/cubby.server.ts', 'app/routes/file.ts'],
      app: (token, cubby, file) => ({
        token: token.action,
        list: cubby.listFiles,
        link: (id) => file.loader({ request: linkTo(id) }),
      }),
    },
    astro: {
      files: ['src/pages/api/upload-token.ts', 'src/lib/cubby.ts', 'src/pages/api/file.ts'],
      app: (token, cubby, file) => ({
        token: token.POST,
        list: cubby.listFiles,
        link: (id) => file.GET({ url: new URL(linkTo(id).url) }),
      }),
    },
  };

  it.each(Object.entries(calls))('%s: uploads, lists and opens a file', async (page, { files, app }) => {
    for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    await tryOut(app(...(await importForServer(await writePage(page), files))));
  });

  it('a key that Cubby refuses is an error of each route, with its code', async () => {
    vi.stubEnv('CUBBY_URL', environment().CUBBY_URL);
    vi.stubEnv('CUBBY_KEY', 'cbk_wrong');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { files, app } = calls.nextjs!;
    const { token, list, link } = app(...(await importForServer(await writePage('nextjs'), files)));
    for (const call of [token, list, () => link('prv/1/inbox/note.txt')])
      await expect(call()).rejects.toThrow('ACCESS_DENIED');
  });
});

describe('the pages of frameworks that are servers in Node', () => {
  it.each(['express', 'fastify'])('%s: uploads, lists and opens a file, and shows the page', async (page) => {
    const origin = await startPage(page, environment());
    await tryOut({
      token: () => fetch(`${origin}/api/upload-token`, { method: 'POST' }),
      list: async () => (await (await fetch(`${origin}/api/files`)).json()) as unknown[],
      link: (id) => fetch(`${origin}/api/file?id=${encodeURIComponent(id)}`, { redirect: 'manual' }),
    });
    const shown = await fetch(origin);
    expect(shown.headers.get('Content-Type')).toMatch(/^text\/html/);
    const html = await shown.text();
    expect(html).toContain(`base-url="${environment().CUBBY_URL}"`);
    const [, script] = /<script type="module" src="([^"]+)"/.exec(html)!;
    expect((await fetch(script!)).headers.get('Content-Type')).toMatch(/javascript/);
  });
});

describe('the pages of frameworks that store over S3', () => {
  /** Returns a file of a page, with the values of a reader's key pair. */
  function fileOf(page: string, name: string, values: Readonly<Record<string, string>>): string {
    const { code } = blocksOf(`start/frameworks/${page}.md`).find(({ file }) => file === name)!;
    return Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), code);
  }

  /** Sends what a browser sends before a script may send a file to another origin. Returns what it may send. */
  async function allowed(url: string, headers: string): Promise<string | null> {
    const answer = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: address,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': headers,
      },
    });
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PUT');
    return answer.headers.get('Access-Control-Allow-Headers');
  }

  async function pair(): Promise<Endpoint> {
    return pairOf(gateway.server, gateway.account.credential);
  }

  it('rails: its settings lead to the gateway, which takes a direct upload and gives it back', async () => {
    const { url, accessKeyId, secretAccessKey } = await pair();
    const { cubby } = parse(
      fileOf('rails', 'config/storage.yml', {
        '<%= ENV["S3_URL"] %>': url,
        '<%= ENV["AWS_ACCESS_KEY_ID"] %>': accessKeyId,
        '<%= ENV["AWS_SECRET_ACCESS_KEY"] %>': secretAccessKey,
      }),
    );
    expect(cubby).toMatchObject({ service: 'S3', force_path_style: true });
    const own = { url: cubby.endpoint, accessKeyId: cubby.access_key_id, secretAccessKey: cubby.secret_access_key };
    const { region } = cubby;
    // Active Storage's own keys have neither a folder nor an ending.
    const path = `/${cubby.bucket}/5yr2wsr4zp0n6t9mydy8hbcg4bzz`;
    const bytes = someBytes();
    const md5 = createHash('md5').update(bytes).digest('base64');
    const signed = { 'content-length': String(bytes.length), 'content-md5': md5 };
    const target = url + presign(own, { method: 'PUT', path, region, headers: signed });
    const sent = {
      'Content-Type': 'application/pdf',
      'Content-MD5': md5,
      'Content-Disposition': `inline; filename="april.pdf"; filename*=UTF-8''april.pdf`,
    };
    const names = Object.keys(sent).join(',').toLowerCase();
    expect(await allowed(target, names)).toBe(names);
    expect((await fetch(target, { method: 'PUT', headers: sent, body: bytes })).status).toBe(200);
    const query = {
      'response-content-disposition': `attachment; filename="april.pdf"; filename*=UTF-8''april.pdf`,
      'response-content-type': 'application/pdf',
    };
    const opened = await fetch(url + presign(own, { path, region, query }));
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(bytes);
    expect(opened.headers.get('Content-Disposition')).toMatch(/^attachment; filename="april\.pdf"/);
  });

  it('laravel: its settings lead to the gateway, which takes a signed upload, lists it and gives it back', async () => {
    const { url, accessKeyId, secretAccessKey } = await pair();
    const text = fileOf('laravel', '.env', { 'http://localhost:7403': url });
    const env = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    expect(env).toMatchObject({ FILESYSTEM_DISK: 's3', AWS_USE_PATH_STYLE_ENDPOINT: 'true' });
    const own = { url: env.AWS_ENDPOINT!, accessKeyId, secretAccessKey };
    const region = env.AWS_DEFAULT_REGION!;
    const path = `/${env.AWS_BUCKET}/inbox/april-x7Qw2Lm9.pdf`;
    const bytes = someBytes();
    const target = own.url + presign(own, { method: 'PUT', path, region });
    expect(await allowed(target, 'content-type')).toBe('content-type');
    const headers = { 'Content-Type': 'application/pdf' };
    expect((await fetch(target, { method: 'PUT', headers, body: bytes })).status).toBe(200);
    const query = { 'list-type': '2', prefix: 'inbox/', delimiter: '/' };
    const listed = await fetch(own.url + presign(own, { path: `/${env.AWS_BUCKET}`, region, query }));
    expect(await listed.text()).toContain('<Key>inbox/april-x7Qw2Lm9.pdf</Key>');
    const opened = await fetch(own.url + presign(own, { path, region }));
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(bytes);
  });
});

it('what calls Cubby is the same on every page in JavaScript', () => {
  const withoutTypes = (code: string) =>
    code
      .replace('files: { id: string; name: string }[] = []', 'files = []')
      .replace('cursor: string | undefined;', 'cursor;')
      .replace('(id: string)', '(id)');
  const codes = pages.flatMap((page) =>
    blocksOf(`start/frameworks/${page}.md`)
      .filter(({ language, code }) => /^[jt]s$/.test(language) && code.includes('export async function linkTo('))
      .map(({ code }) => withoutTypes(code)),
  );
  expect(codes).toHaveLength(7);
  expect(new Set(codes).size).toBe(1);
});

it('the table of frameworks lists every page', () => {
  const [, table] = /\n(\|[^]*?\n)\n/.exec(readFileSync(join(root, 'docs/start/frameworks.md'), 'utf8'))!;
  const listed = [...table!.matchAll(/\(frameworks\/([\w-]+)\.md\)/g)].map(([, page]) => page!);
  expect(listed.toSorted()).toEqual(pages.toSorted());
});
