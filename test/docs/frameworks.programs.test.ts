import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import vue from '@vitejs/plugin-vue';
import { compile } from 'svelte/compiler';
import { render } from 'svelte/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSSRApp, ref } from 'vue';
import { renderToString } from 'vue/server-renderer';
import type { Plugin } from 'vite';

import { formWith, someBytes, upload } from '#test/support/files.ts';
import { needPackages, needPrograms } from '#test/support/need-programs.ts';
import { programPath } from '#test/support/programs.ts';
import { pairOf, startGateway, type Gateway } from '../s3/gateway.ts';
import { importForServer, writeFiles, writePage } from './framework-code.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

let gateway: Gateway;
let environment: { readonly CUBBY_URL: string; readonly CUBBY_KEY: string };
/** A private file of the inbox, which the pages list. */
let id: string;
const bytes = someBytes();
beforeAll(async () => {
  gateway = await startGateway();
  const { server, account } = gateway;
  environment = { CUBBY_URL: server.running.urls.api, CUBBY_KEY: account.credential };
  const query = { name: 'note', prefix: 'inbox', private: 'true' };
  id = (await upload(server, account, { bytes, filename: 'note.txt', query })).json().response.id;
});
afterAll(() => gateway.stop());

describe('the pages of frameworks, rendered on the server', () => {
  beforeAll(() => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    return () => void vi.unstubAllEnvs();
  });

  /** A page has the element with the server's address, and a link to the file. */
  function expectPage(html: string): void {
    const [element] = /<cubby-upload[^>]*>/.exec(html)!;
    expect(element).toContain(`base-url="${environment.CUBBY_URL}"`);
    expect(element).toContain('token-url="/api/upload-token"');
    expect(element).toContain('prefix="inbox"');
    expect(element).toMatch(/\smultiple(?=[\s=/>])/);
    expect(html).toMatch(new RegExp(`<a [^>]*href="/api/file\\?id=${encodeURIComponent(id)}"[^>]*>note\\.txt</a>`));
  }

  it('nextjs', async () => {
    needPackages('react', 'react-dom');
    const folder = await writePage('nextjs');
    await writeFile(
      join(folder, 'render.tsx'),
      `import { renderToStaticMarkup } from 'react-dom/server';
      import Files from './app/files/page';
      export const html = async () => renderToStaticMarkup(await Files());`,
    );
    const [page] = await importForServer(folder, ['render.tsx']);
    expectPage(await page.html());
  });

  it('react-router', async () => {
    needPackages('react', 'react-dom');
    const folder = await writePage('react-router');
    await writeFile(
      join(folder, 'render.tsx'),
      `import { renderToStaticMarkup } from 'react-dom/server';
      import Files from './app/routes/files';
      export { loader } from './app/routes/files';
      export const html = () => renderToStaticMarkup(<Files />);`,
    );
    const [page] = await importForServer(folder, ['render.tsx']);
    vi.stubGlobal('loaderData', await page.loader());
    expectPage(page.html());
  });

  it('sveltekit', async () => {
    needPackages('svelte');
    const svelte: Plugin = {
      name: 'svelte',
      transform: (code, file) =>
        file.endsWith('.svelte') ? compile(code, { filename: file, generate: 'server' }).js : undefined,
    };
    const files = ['src/routes/files/+page.svelte', 'src/routes/files/+page.server.ts'];
    const [page, server] = await importForServer(await writePage('sveltekit'), files, { plugins: [svelte] });
    const { body } = await render(page.default, { props: { data: await server.load() } });
    expectPage(body);
  });

  it('nuxt', async () => {
    const isOurs = (tag: string) => tag.startsWith('cubby-');
    const plugins = [vue({ template: { compilerOptions: { isCustomElement: isOurs } } })];
    const files = ['app/app.vue', 'server/api/files.get.ts', 'nuxt.config.ts'];
    // Nuxt has these everywhere.
    vi.stubGlobal('defineNuxtConfig', (config: unknown) => config);
    vi.stubGlobal('useFetch', async () => ({ data: ref(await list.default({})), refresh: async () => {} }));
    const [page, list, config] = await importForServer(await writePage('nuxt'), files, { plugins });
    expect(config.default.vue.compilerOptions.isCustomElement('cubby-upload')).toBe(true);
    expectPage(await renderToString(createSSRApp(page.default)));
  });
});

/** The parts of the frameworks' types that the pages use. */
const frameworkTypes = `
declare module 'astro' {
  export type APIRoute = (context: { readonly request: Request; readonly url: URL }) => Response | Promise<Response>;
}
declare module 'next/navigation' {
  export function useRouter(): { refresh(): void };
}
declare module 'next/server' {
  export function connection(): Promise<void>;
}
declare module 'nuxt/server' {
  export interface RequestEvent { readonly path: string }
  export function defineEventHandler<T>(handler: (event: RequestEvent) => T): (event: RequestEvent) => T;
  export function getQuery(event: RequestEvent): Record<string, unknown>;
}
declare module 'react-router' {
  export interface LoaderFunctionArgs { readonly request: Request }
  export function useLoaderData<T extends () => Promise<unknown>>(): Awaited<ReturnType<T>>;
  export function useRevalidator(): { revalidate(): Promise<void> };
}
declare module '@react-router/dev/routes' {
  export interface RouteConfigEntry { readonly file: string }
  export type RouteConfig = RouteConfigEntry[];
  export function route(path: string, file: string): RouteConfigEntry;
}
declare function defineNuxtConfig(config: {
  vue: { compilerOptions: { isCustomElement(tag: string): boolean } };
}): object;
`;

it('the TypeScript of the pages of frameworks has no wrong type', async () => {
  needPackages('react', '@types/react');
  const folder = await writePage('nextjs');
  const client = join(folder, 'node_modules/cubby-client');
  await mkdir(client, { recursive: true });
  await writeFile(join(folder, 'parts.d.ts'), frameworkTypes);
  for (const part of ['client', 'uploader']) await symlink(join(root, 'dist/modules', part), join(client, part));
  await symlink(join(root, 'uploader/package/package.json'), join(client, 'package.json'));
  const files = ['parts.d.ts'];
  for (const page of ['nextjs', 'nuxt', 'sveltekit', 'react-router', 'astro']) {
    const place = page === 'nextjs' ? '' : page;
    const names = await writeFiles(page, join(folder, place));
    files.push(...names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(place, name)));
  }
  expect(files.length).toBeGreaterThan(20);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    preserveSymlinks: true,
    types: ['node'],
    paths: { '@/*': ['./*'], '$lib/*': ['./sveltekit/src/lib/*'] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const check = () =>
    run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
  expect(await check()).toBe('');
  await writeFile(join(folder, 'lib/cubby.ts'), 'export const linkTo = 1;\n');
  expect(await check()).toContain('app/files/page.tsx');
});

describe('the page of Django', () => {
  /** Runs a program in the folder of the page, and returns what it prints as JSON. */
  async function python(folder: string, program: string, more: NodeJS.ProcessEnv = {}): Promise<any> {
    const env = { PATH: programPath, HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', ...environment, ...more };
    const { stdout } = await run('python3', ['-c', `import json\n${program}`], { cwd: folder, env });
    return JSON.parse(stdout);
  }

  it('requests a token that uploads, lists the files, and opens those of the inbox only', async () => {
    needPrograms('python3', 'requests');
    const folder = await writePage('django');
    const calls = (code: string) => python(folder, `from inbox import cubby\nprint(json.dumps(${code}))`);
    const { server, account } = gateway;
    const stored = await server.send('/v1/objects?name=second&prefix=inbox', {
      method: 'POST',
      credential: await calls('cubby.upload_token()'),
      body: formWith(someBytes(), 'second.txt', 'text/plain'),
    });
    const second = stored.json().response.id;
    const secret = (await upload(server, account, { query: { prefix: 'secrets', private: 'true' } })).json().response;
    const ids = [id, secret.id, id.replace('note', 'none'), ''];
    const [files, links] = await calls(`[cubby.list_files(), [cubby.link_to(id) for id in ${JSON.stringify(ids)}]]`);
    expect(files).toEqual(
      expect.arrayContaining([
        { id, name: 'note.txt' },
        { id: second, name: 'second.txt' },
      ]),
    );
    expect(links.slice(1)).toEqual([null, null, null]);
    expect(Buffer.from(await (await fetch(links[0])).arrayBuffer())).toEqual(bytes);
  });

  it('has views and addresses that Python can read', async () => {
    needPrograms('python3');
    const folder = await writePage('django');
    const sources = ['inbox/cubby.py', 'inbox/views.py', 'project/urls.py', 'project/settings.py'];
    await run('python3', ['-m', 'py_compile', ...sources], { cwd: folder, env: { PATH: programPath } });
  });

  it('has settings with which boto3 stores a file and signs a link to it, as django-storages does', async () => {
    needPrograms('boto3');
    const folder = await writePage('django');
    const { url, accessKeyId, secretAccessKey } = await pairOf(gateway.server, gateway.account.credential);
    const pair = { S3_URL: url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    const program = `
import boto3
from botocore.config import Config
from project.settings import STORAGES
storage = STORAGES["default"]
options = storage["OPTIONS"]
s3 = boto3.client(
    "s3",
    endpoint_url=options["endpoint_url"],
    region_name=options["region_name"],
    aws_access_key_id=options["access_key"],
    aws_secret_access_key=options["secret_key"],
    config=Config(s3={"addressing_style": options["addressing_style"]}, signature_version=options["signature_version"]),
)
place = {"Bucket": options["bucket_name"], "Key": options["location"] + "/report.pdf"}
s3.put_object(Body=b"A report. " * 200, ContentType="application/pdf", **place)
link = s3.generate_presigned_url("get_object", Params=place, ExpiresIn=options["querystring_expire"])
print(json.dumps([storage["BACKEND"], link]))`;
    const [backend, link] = await python(folder, program, pair);
    expect(backend).toBe('storages.backends.s3.S3Storage');
    expect(await (await fetch(link)).text()).toBe('A report. '.repeat(200));
    expect(await gateway.info('private', 'media/report.pdf')).toMatchObject({ size: 2000 });
  });
});
