import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, onTestFinished } from 'vitest';
import { build, type InlineConfig, type Plugin, type UserConfig } from 'vite';

import { freePort } from '#test/support/free-port.ts';
import { placeOf } from '#test/support/packages.ts';
import { blocksOf } from './guide-code.ts';

const root = join(import.meta.dirname, '../..');

/** The modules of `cubby-client`, by the names that its users import. */
export const clientModules: Readonly<Record<string, string>> = {
  'cubby-client': join(root, 'dist/modules/client/index.js'),
  'cubby-client/element': join(root, 'dist/modules/uploader/element/element.js'),
  'cubby-client/element/react': join(root, 'dist/modules/uploader/element/react.js'),
};

/** The parts of frameworks that the pages import. They are not installed here, so each does the least that it may. */
const frameworkParts: Readonly<Record<string, string>> = {
  '$app/navigation': 'export const invalidateAll = async () => {};',
  'next/navigation': `const router = { refresh: () => void (globalThis.refreshes = (globalThis.refreshes ?? 0) + 1) };
    export const useRouter = () => router;`,
  'next/server': 'export const connection = async () => {};',
  'nuxt/server': `export const defineEventHandler = (handler) => handler;
    export const getQuery = ({ url }) => Object.fromEntries(new URL(url).searchParams);`,
  'react-router': `export const useLoaderData = () => globalThis.loaderData;
    export const useRevalidator = () => ({ revalidate: async () => {} });`,
};

const withFrameworkParts: Plugin = {
  name: 'framework-parts',
  enforce: 'pre',
  resolveId: (source) => (Object.hasOwn(frameworkParts, source) ? `\0part:${source}` : undefined),
  load: (id) => (id.startsWith('\0part:') ? frameworkParts[id.slice('\0part:'.length)] : undefined),
};

/**
 * Writes the files of `docs/start/frameworks/<page>.md` into a folder of their own, which is removed after the test. It
 * is within the repository, so that its packages are found.
 */
export async function writePage(page: string): Promise<string> {
  await mkdir(join(root, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(root, `dist/framework-${page}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(page, folder);
  return folder;
}

/** Writes the files of a page below a folder. Returns their names. */
export async function writeFiles(page: string, folder: string): Promise<string[]> {
  const files = blocksOf(`start/frameworks/${page}.md`).filter(({ file }) => file !== undefined);
  for (const { file, code } of files) {
    const path = join(folder, file!);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
  return files.map(({ file }) => file!);
}

/** What both bundles of a page have in common. */
function configOf(folder: string, { plugins = [], ...config }: UserConfig): InlineConfig {
  const aliases: Readonly<Record<string, string>> = {
    ...clientModules,
    '@/lib/cubby': join(folder, 'lib/cubby.ts'),
    '$lib/server/cubby': join(folder, 'src/lib/server/cubby.ts'),
  };
  return {
    configFile: false,
    logLevel: 'error',
    root: folder,
    resolve: {
      alias: Object.entries(aliases).map(([name, replacement]) => ({
        find: new RegExp(`^${name.replaceAll('$', '\\$')}$`),
        replacement,
      })),
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    ...config,
    plugins: [withFrameworkParts, ...plugins],
  };
}

/** Bundles files of a page for the server, as its framework would, and imports them. They read the environment now. */
export async function importForServer(
  folder: string,
  files: readonly string[],
  config: UserConfig = {},
): Promise<any[]> {
  await build({
    ...configOf(folder, config),
    build: {
      ssr: true,
      outDir: join(folder, 'out'),
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(files.map((file, at) => [`file-${at}`, join(folder, file)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  return Promise.all(files.map((_, at) => import(pathToFileURL(join(folder, `out/file-${at}.mjs`)).href)));
}

/** Bundles a module for browsers. Returns the path of the program. */
export async function bundleForBrowser(folder: string, file: string): Promise<string> {
  await build({
    ...configOf(folder, {}),
    build: {
      outDir: join(folder, 'browser'),
      target: 'es2022',
      minify: false,
      rolldownOptions: { input: join(folder, file), output: { entryFileNames: 'program.js' } },
    },
  });
  return join(folder, 'browser/program.js');
}

/**
 * Writes the files of a page, with its packages, and runs its last command, which ends after the test. Returns the
 * address that it prints.
 *
 * @param environment what the reader exports
 */
export async function startPage(page: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const folder = await writePage(page);
  const client = pathToFileURL(clientModules['cubby-client']!).href;
  await addPackage(folder, 'cubby-client', `export * from '${client}';`);
  if (!existsSync(placeOf('fastify')))
    await addPackage(folder, 'fastify', await readFile(join(import.meta.dirname, 'fastify-stand-in.mjs'), 'utf8'));
  const command = blocksOf(`start/frameworks/${page}.md`).find(({ keepsRunning }) => keepsRunning)!;
  const [program, ...args] = command.code.trim().split(' ');
  if (program !== 'node') throw new Error(`${page} runs ${program}, not node.`);
  const env = { ...environment, PORT: String(await freePort()) };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await expect.poll(() => printed).toMatch(/^Open http:\/\/\S+$/m);
  return /http:\/\/\S+/.exec(printed)![0];
}

/** Puts a package of one module into a folder. */
async function addPackage(folder: string, name: string, code: string): Promise<void> {
  const place = join(folder, 'node_modules', name);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
  await writeFile(join(place, 'index.js'), code);
}
