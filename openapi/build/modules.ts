/**
 * `node openapi/build/modules.ts`: makes in `dist/modules/` what programs of others import: the client, the uploader
 * (compiled from `uploader/`), the contract's examples as fixtures, and the mocks (from `mocks/consumer/`).
 *
 * A server without development dependencies serves them too. Node then removes the types, and there are no declarations.
 * `--if-stale` does nothing while the modules match their sources.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Json } from '../codegen/document.ts';
import { printFixtures, printFixtureTypes } from '../codegen/print-fixtures.ts';
import { compile, compiled, sources, stripped, type Files } from './compile-modules.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const place = join(root, 'dist/modules');
/** Describes what the modules were made from, and what was made. */
const madeFrom = 'made-from.txt';

/** What is JavaScript already, because any Node has to read it. */
const plain = '*.{js,d.ts}';

/** The files that the modules are made from. */
export const moduleSources = [
  'openapi/{build,codegen}/**/*.ts',
  'generated/{openapi.json,client.js}',
  'uploader/{*,demo/*,element/*}.ts',
  'mocks/consumer/*.{ts,js}',
];

async function inputs(): Promise<string> {
  const files = (await Promise.all(moduleSources.map(sources))).flat();
  const hash = createHash('sha256');
  // The versions of the generator and of the compiler.
  for (const file of [...files, 'package.json'])
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(root, file)));
  return `${hash.digest('hex')}${canCompile() ? '' : ' without a compiler'}`;
}

/** Returns whether what makes and compiles the client is installed. */
function canCompile(): boolean {
  return ['@hey-api/openapi-ts', 'typescript'].every((name) => existsSync(join(root, 'node_modules', name)));
}

/** Hashes the modules as they are. What a process has left half done is so made again. */
async function outputs(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for await (const path of glob('**/*.{js,d.ts}', { cwd: folder })) files.push(path);
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(folder, file)));
  return hash.digest('hex');
}

async function clientDeclarations(document: Json, work: string): Promise<Files> {
  const source = join(work, 'client');
  await run(process.execPath, [join(import.meta.dirname, 'client.ts'), source], { cwd: root });
  await writeFile(join(source, 'package.json'), '{ "type": "module" }\n');
  await writeFile(
    join(source, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: [],
        strict: true,
        skipLibCheck: true,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: '.',
      },
      include: ['.'],
    }),
  );
  const files = await compile(source, 'client', work);
  return files.set('fixtures/index.d.ts', printFixtureTypes(document));
}

/**
 * Writes files one by one, each in a moment, so that a process that reads them, or writes the same, is not disturbed.
 * Unchanged ones stay.
 */
async function write(files: Files, work: string): Promise<void> {
  let count = 0;
  for (const [path, text] of files) {
    const file = join(place, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    const fresh = join(work, `fresh-${count++}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(fresh, text);
    await rename(fresh, file);
  }
}

/** Removes the modules whose sources are gone. */
async function removeOthers(files: Files): Promise<void> {
  for await (const path of glob('**/*.{js,d.ts}', { cwd: place }))
    if (!files.has(path.replaceAll('\\', '/'))) await rm(join(place, path), { force: true });
}

/** Makes the modules. */
export async function buildModules(): Promise<void> {
  const from = await inputs();
  await mkdir(join(root, 'dist'), { recursive: true });
  // On the same file system as the modules, and below the packages that the declarations name.
  const work = await mkdtemp(join(root, 'dist/modules-'));
  try {
    const document: Json = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
    const files: Files = new Map([
      ['client/index.js', await readFile(join(root, 'generated/client.js'), 'utf8')],
      ['fixtures/index.js', printFixtures(document)],
    ]);
    const add = (more: Files): void => more.forEach((text, path) => files.set(path, text));
    if (canCompile()) {
      add(await clientDeclarations(document, work));
      // The others are compiled against these.
      await write(files, work);
      for (const [folder, to] of Object.entries(compiled)) add(await compile(join(root, folder), to, work));
    } else add(await stripped());
    for (const [folder, to] of Object.entries(compiled))
      for (const source of await sources(`${folder}/${plain}`))
        files.set(to + source.slice(folder.length), await readFile(join(root, source), 'utf8'));
    await write(files, work);
    await removeOthers(files);
    await write(new Map([[madeFrom, `${from}\n${await outputs(place)}\n`]]), work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Makes the modules, unless they match their sources. */
export async function ensureModules(): Promise<void> {
  const kept = await readFile(join(place, madeFrom), 'utf8').catch(() => undefined);
  if (kept === undefined || kept !== `${await inputs()}\n${await outputs(place)}\n`) await buildModules();
}

if (import.meta.main) await (process.argv.includes('--if-stale') ? ensureModules() : buildModules());
