/**
 * `npm run package:client [FOLDER]`: makes the package `cubby-client` from `dist/modules/` and `uploader/package/`, and packs it
 * into a folder, by default `dist/`. Each entry is one minified module, and their shared code is another. The types are
 * copied unchanged.
 */
import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'vite';

import { ensureModules } from './modules.ts';

const root = join(import.meta.dirname, '../..');
const place = join(root, 'dist/client-package');
const modules = join(root, 'dist/modules');

const entries = {
  client: 'client/index.js',
  uploader: 'uploader/index.js',
  element: 'uploader/element/element.js',
  react: 'uploader/element/react.js',
  preact: 'uploader/element/preact.js',
  solid: 'uploader/element/solid.js',
};

/** Makes the package with the version of the server. Returns its folder. */
export async function makeClientPackage(): Promise<string> {
  await ensureModules();
  await rm(place, { recursive: true, force: true });
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: join(place, 'dist'),
      target: 'es2022',
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(modules, path)])),
        formats: ['es'],
      },
      rolldownOptions: {
        output: { minify: true, entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
      },
    },
  });
  for await (const path of glob('{client,uploader}/**/*.d.ts', { cwd: modules })) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await cp(join(modules, path), join(place, path));
  }
  await cp(join(root, 'uploader/package'), place, { recursive: true });
  await cp(join(root, 'LICENSE'), join(place, 'LICENSE'));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const description = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as object;
  await writeFile(join(place, 'package.json'), `${JSON.stringify({ ...description, version }, null, 2)}\n`);
  return place;
}

/** Makes the package and packs it. Returns the path of the file. */
export async function packClientPackage(folder: string): Promise<string> {
  const cwd = await makeClientPackage();
  const packing = ['pack', '--silent', '--pack-destination', resolve(folder)];
  const { stdout } = await promisify(execFile)('npm', packing, { cwd });
  return join(folder, stdout.trim());
}

if (import.meta.main) console.log(await packClientPackage(process.argv[2] ?? join(root, 'dist')));
