import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import vue from '@vitejs/plugin-vue';
import type { Browser, Page } from 'playwright-core';
import { compile, compileModule } from 'svelte/compiler';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { build, type InlineConfig, type Plugin } from 'vite';
import solid from 'vite-plugin-solid';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { noPackage } from '#test/support/packages.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { frameworks, type Framework } from './frameworks.ts';

const missing = noChromium ?? noPackage('react', 'react-dom', 'solid-js', 'svelte', 'vite-plugin-solid');
const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'uploader/package');
/** The address of the server in all samples. */
const sampleServer = 'https://api.example.com';

const svelte: Plugin = {
  name: 'svelte',
  transform(code, id) {
    if (id.endsWith('.svelte')) return compile(code, { filename: id, generate: 'client' }).js;
    return /\.svelte\.[jt]s$/.test(id) ? compileModule(code, { filename: id }).js : undefined;
  },
};

const isOurs = (tag: string) => tag.startsWith('cubby-');

/** What the comment at the head of each example tells its reader to set. */
const settings: Readonly<Record<string, { readonly plugins?: Plugin[]; readonly importSource?: string }>> = {
  Preact: { importSource: 'preact' },
  Solid: { plugins: missing === undefined ? [solid()] : [] },
  Vue: { plugins: [vue({ template: { compilerOptions: { isCustomElement: isOurs } } })] },
  Svelte: { plugins: [svelte] },
};

/** Returns the modules of the package, by the names that its users import. */
async function packageModules(): Promise<Record<string, string>> {
  const { name, exports } = JSON.parse(await readFile(join(shipped, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, { types }]) =>
      types ? [[join(name, path), join(root, 'dist/modules', types.replace(/\.d\.ts$/, '.js'))]] : [],
    ),
  );
}

/** Returns the sample of `docs/uploader.md` for JSX as a component. */
async function documented(): Promise<string> {
  const [, sample] = /```tsx\n(.*?)```/s.exec(await readFile(join(root, 'docs/uploader.md'), 'utf8'))!;
  const [imported, , element] = /^(import .*)\n\n(.*);$/s
    .exec(sample!.trim())!
    .entries()
    .map(([, text]) => text);
  return `import { useState } from 'react';
    ${imported}
    export function Inbox() {
      const [ids, setIds] = useState([]);
      const save = (id) => setIds((before) => [...before, id]);
      return <>${element}<ul>{ids.map((id) => <li key={id}>{id}</li>)}</ul></>;
    }`;
}

/**
 * Bundles the pages of a framework as their author would.
 *
 * @param folder within the repository, so that the packages are found
 * @returns the programs by their names
 */
async function bundle(
  name: string,
  framework: Framework,
  folder: string,
  server: string,
): Promise<Map<string, string>> {
  const { plugins = [], importSource = 'react' } = settings[name] ?? {};
  const { example, extension, mount, flags } = framework;
  const sources: Record<string, string> = {
    example: await readFile(join(shipped, 'examples', example), 'utf8'),
    flags,
    ...(name === 'React 19' && { documented: await documented() }),
  };
  await mkdir(folder, { recursive: true });
  for (const [page, source] of Object.entries(sources)) {
    await writeFile(join(folder, `${page}.${extension}`), source.replaceAll(sampleServer, server));
    const imported = extension === 'tsx' ? `{ ${page === 'flags' ? 'Flags' : 'Inbox'} as Component }` : 'Component';
    await writeFile(join(folder, `show-${page}.tsx`), `import ${imported} from './${page}.${extension}';\n${mount}`);
  }
  return built({
    root: folder,
    plugins,
    resolve: {
      alias: Object.entries(await packageModules()).map(([found, replacement]) => ({
        find: new RegExp(`^${found}$`),
        replacement,
      })),
    },
    ...(name !== 'Solid' && { oxc: { jsx: { runtime: 'automatic', importSource } } }),
    build: {
      rolldownOptions: {
        input: Object.keys(sources).map((page) => join(folder, `show-${page}.tsx`)),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}

/** Returns the files that Vite builds, by their names. */
async function built(config: InlineConfig): Promise<Map<string, string>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    ...config,
    build: { write: false, target: 'es2022', minify: false, ...config.build },
  });
  const bundles = (Array.isArray(result) ? result : [result]) as ReadonlyArray<
    Extract<typeof result, { output: unknown }>
  >;
  return new Map(
    bundles.flatMap(({ output }) =>
      output.map((one) => [one.fileName, one.type === 'chunk' ? one.code : String(one.source)] as const),
    ),
  );
}

/** Returns the example without a bundler, and the module beside it. */
async function plainPage(server: string): Promise<Map<string, string>> {
  const element = Object.entries(await packageModules()).find(([name]) => name.endsWith('/element'))![1];
  const module = await built({ build: { lib: { entry: element, formats: ['es'], fileName: 'element' } } });
  const page = await readFile(join(shipped, 'examples/plain.html'), 'utf8');
  return new Map([...module, ['show-example', page.replaceAll(sampleServer, server).replace('./dist/', './')]]);
}

const html = (program: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
  <div id="app"></div><script type="module" src="${program}"></script></html>`;

describe.skipIf(missing)(`<cubby-upload> in frameworks${because(missing)}`, () => {
  let server: TestServer;
  let account: TestAccount;
  let browser: Browser;
  let folder: string;
  const programs = new Map<string, ReadonlyMap<string, string>>();

  /** Serves the pages beside the API, and the addresses of their own server. */
  const door =
    (_name: string, real: RequestListener): RequestListener =>
    async (req, res) => {
      const [, place, name, page] = req.url!.split('/').map(decodeURIComponent);
      const json = (value: unknown) =>
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
      if (place === 'upload-token') return void json(await token());
      if (place === 'key') return void json({ token: account.credential });
      if (place === 'favicon.ico') return void res.writeHead(204).end();
      if (place !== 'pages') return real(req, res);
      const program = programs.get(name!)?.get(page!);
      const isScript = program !== undefined && page!.endsWith('.js');
      res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      res.end(program ?? html(`${page}.js`));
    };
  const token = async () => {
    const answer = await server.send('/v1/upload-tokens', {
      method: 'POST',
      credential: account.credential,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ prefix: 'inbox', max_uses: 2 }),
    });
    return JSON.parse(answer.body.toString()) as unknown;
  };

  beforeAll(async () => {
    server = await startTestServer({ door });
    account = await server.account();
    browser = await sharedChromium();
    await mkdir(join(root, 'dist'), { recursive: true });
    folder = await mkdtemp(join(root, 'dist/frameworks-'));
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(name: string, page: string): Promise<{ readonly shown: Page; readonly complaints: string[] }> {
    if (!programs.has(name)) {
      const at = join(folder, name.toLowerCase().replaceAll(' ', '-'));
      const { api } = server.running.urls;
      const framework = frameworks[name];
      programs.set(name, await (framework ? bundle(name, framework, at, api) : plainPage(api)));
    }
    const shown = await browser.newPage();
    onTestFinished(() => shown.close());
    const complaints: string[] = [];
    shown.on('pageerror', (error) => complaints.push(String(error)));
    shown.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await shown.goto(`${server.running.urls.api}/pages/${encodeURIComponent(name)}/show-${page}`);
    return { shown, complaints };
  }

  const choose = (page: Page, element: string, text: string) =>
    page
      .locator(`${element} input[type=file]`)
      .first()
      .setInputFiles({
        name: 'note.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(text.repeat(600)),
      });

  const examples = [
    ...Object.keys(frameworks).map((name) => [name, 'example'] as const),
    ['React 19', 'documented'] as const,
    ['A page without one', 'example'] as const,
  ];
  it.each(examples)('%s: the %s uploads a file, and hears of it', async (name, page) => {
    const { shown, complaints } = await open(name, page);
    await choose(shown, 'cubby-upload', 'a');
    // The sample of the documentation has no prefix: the token pins one.
    const id = await shown.getByText(/^pub\/\d+\/inbox\/note_\w+\.txt$/).innerText();
    const stored = await server.send(`/${id.slice('pub/'.length)}`, { door: 'public' });
    expect(stored.body.toString()).toBe('a'.repeat(600));
    expect(complaints).toEqual([]);
  });

  it.each(Object.keys(frameworks))('%s: bound attributes and flags do what they say', async (name) => {
    const { shown, complaints } = await open(name, 'flags');
    /** Uploads a file, and returns how it ended. */
    const upload = async (element: string, text: string) => {
      const outcomes = () =>
        shown
          .locator(element)
          .evaluate((one: any) =>
            one.items.map(({ state, error }: any) => error?.code ?? (state === 'completed' ? 'stored' : undefined)),
          );
      const before = (await outcomes()).length;
      await choose(shown, element, text);
      await expect.poll(async () => (await outcomes())[before]).toBeDefined();
      return (await outcomes())[before];
    };
    const stored = async (prefix: string) =>
      (await server.send(`/${account.id}/${prefix}/note.txt?${Math.random()}`, { door: 'public' })).body.toString()[0];
    account = await server.account();
    for (const prefix of ['kept', 'old']) {
      const element = `#${prefix}`;
      expect(
        await shown.locator(element).evaluate((one: any) => ({
          prefix: one.prefix,
          private: one.private,
          multiple: one.multiple,
          hiddenFiles: one.hiddenFiles,
          confirmLeave: one.confirmLeave,
          maxSize: one.maxSize,
          name: one.name,
          form: one.form?.id,
          keeps: one.keepExisting || !one.overwrite,
        })),
        element,
      ).toEqual({
        prefix,
        private: false,
        multiple: true,
        hiddenFiles: false,
        confirmLeave: true,
        maxSize: '1000000',
        name: 'files',
        form: 'other',
        keeps: true,
      });
      expect(await upload(element, 'a'), element).toBe('stored');
      expect(await upload(element, 'b'), element).toBe('OBJECT_ALREADY_EXISTS');
      expect(await stored(prefix), element).toBe('a');
    }
    await shown.getByRole('button', { name: 'Switch' }).click();
    for (const prefix of ['kept', 'old']) {
      expect(await upload(`#${prefix}`, 'c'), prefix).toBe('stored');
      expect(await stored(prefix), prefix).toBe('c');
    }
    // The browser reports every rejected response.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });
});
