/**
 * `npm run docs`: builds the documentation site, which works offline. It contains the reference and the error codes
 * from the bundled contract, the guides of `docs/` and the demo of the uploader.
 *
 * - `--whole` fails when development dependencies are missing, instead of building a plain site. `npm pack` uses it.
 * - `--if-stale` does nothing while the site is newer than its sources. `npm start` uses it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, cp, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import type { Json } from '../codegen/document.ts';
import { developmentModule } from './dev-dependencies.ts';
import { errorPages } from './error-pages.ts';
import { guidePages, guides, type Guide } from './guide-pages.ts';
import { plainReference } from './plain-reference.ts';
import { documentForReaders } from './reader-document.ts';
import { sealed } from './sealed-page.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const generated = join(root, 'generated');
const site = join(root, 'dist/docs');
const demo = join(root, 'uploader/demo');
/** The demo page and its stylesheet. Its script is among the compiled modules. */
const demoFiles = ['upload-demo.html', 'upload-demo.css'];
/** Describes the inputs that a site was built from. */
const madeFrom = 'made-from.txt';

/** Returns the path of Redocly, or undefined without development dependencies. */
function redoclyBin(): string | undefined {
  const manifest = developmentModule('@redocly/cli/package.json');
  return manifest && join(dirname(manifest), 'bin/cli.js');
}

async function redoc(bin: string, folder: string, document: Json): Promise<string> {
  const input = join(folder, 'for-readers.json');
  const output = join(folder, 'redoc.html');
  await writeFile(input, JSON.stringify(document));
  const options = {
    layout: 'three-panel',
    hideSchemaTitles: true,
    sortRequiredPropsFirst: true,
    maxDisplayedEnumValues: 8,
    downloadUrls: [
      { title: 'openapi.yaml', url: 'openapi.yaml' },
      { title: 'openapi.json', url: 'openapi.json' },
    ],
  };
  const args = [
    'build-docs',
    input,
    '-o',
    output,
    '--inlineBundle',
    '--title',
    document.info.title,
    '--openapi',
    JSON.stringify(options),
  ];
  // Environment variables, because the repository's configuration may change.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await run(process.execPath, [bin, ...args], { cwd: root, env });
  const html = await readFile(output, 'utf8');
  await Promise.all([rm(input), rm(output)]);
  return html;
}

/** Returns a short text that covers every input of the site. */
async function inputs(): Promise<string> {
  const hash = createHash('sha256');
  const sources: string[] = [];
  for await (const name of glob(['build/*.ts', 'codegen/*.ts'], { cwd: join(root, 'openapi') }))
    sources.push(join(root, 'openapi', name));
  const texts = (await guides(root)).map(({ path }) => join(root, path));
  const modules: string[] = [];
  for await (const name of glob('{uploader,client}/**/*.js', { cwd: generated })) modules.push(join(generated, name));
  const page = demoFiles.map((name) => join(demo, name));
  for (const file of [join(generated, 'openapi.json'), ...sources.sort(), ...texts, ...page, ...modules.sort()])
    hash.update(await readFile(file));
  return hash.digest('hex');
}

/** Copies the demo with the modules that the package exports. */
async function copyDemo(folder: string): Promise<void> {
  for (const name of demoFiles) await copyFile(join(demo, name), join(folder, name));
  for (const name of ['uploader', 'client']) {
    await cp(join(generated, name), join(folder, 'modules', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.d.ts'),
    });
  }
}

/** Marks a site that was built without development dependencies. It is rebuilt once they are installed. */
const plainly = ' plainly';

/** Builds the reference. Without Redocly, it is a plain list of the operations. */
async function reference(folder: string, document: Json, all: readonly Guide[]): Promise<string> {
  const bin = redoclyBin();
  return bin === undefined
    ? plainReference(document)
    : sealed(await redoc(bin, folder, documentForReaders(document, all)));
}

/**
 * Builds the site in a folder and replaces the old one: `index.html` with `openapi.json` and `openapi.yaml`, the
 * guides, the error codes and the demo. Without development dependencies the reference is a list, and the guides are
 * plain text.
 */
export async function buildDocs(folder: string = site): Promise<void> {
  const document: Json = JSON.parse(await readFile(join(generated, 'openapi.json'), 'utf8'));
  const all = await guides(root);
  await mkdir(dirname(folder), { recursive: true });
  // Built in another folder and then renamed, so that a server never serves half a site.
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(fresh, 'index.html'), await reference(fresh, document, all));
    await mkdir(join(fresh, 'errors'));
    for (const [name, page] of [...(await guidePages(all)), ...errorPages(document)])
      await writeFile(join(fresh, name), page);
    for (const name of ['openapi.json', 'openapi.yaml']) await copyFile(join(generated, name), join(fresh, name));
    await copyDemo(fresh);
    await writeFile(join(fresh, madeFrom), (await inputs()) + (isWhole() ? '' : plainly));
    // mkdtemp allows only the owner, but other users may serve these files.
    await chmod(fresh, 0o755);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Returns whether all dependencies of the whole site are installed. */
function isWhole(): boolean {
  return redoclyBin() !== undefined && developmentModule('marked') !== undefined;
}

/** Returns whether the site matches the current inputs and dependencies. */
export async function isFresh(folder: string = site): Promise<boolean> {
  const kept = await readFile(join(folder, madeFrom), 'utf8').catch(() => undefined);
  const now = await inputs();
  return kept === now || (kept === now + plainly && !isWhole());
}

async function main(): Promise<void> {
  const shownSite = relative(process.cwd(), site) || '.';
  const isForStart = process.argv.includes('--if-stale');
  if (process.argv.includes('--whole') && !isWhole()) {
    console.error(
      'The package needs the whole documentation, and development dependencies that make it are not installed. Run npm ci without --omit=dev, then npm pack again.',
    );
    process.exitCode = 1;
    return;
  }
  if (isForStart && (await isFresh())) return;
  try {
    if (isForStart)
      console.log(`Building the documentation in ${shownSite}, which is missing or older than the contract …`);
    await buildDocs();
    if (!isWhole())
      console.log(
        'The development dependencies are not installed (--omit=dev), so the reference is a list and the guides are plain text. The package that npm pack makes carries the whole site.',
      );
    if (!isForStart) console.log(`The documentation is in ${shownSite}/index.html.`);
  } catch (error) {
    if (!isForStart) throw error;
    // The server also works without its documentation.
    console.log(`The documentation could not be built: ${(error as Error).message}. The server starts without it.`);
  }
}

if (import.meta.main) await main();
