/**
 * `npm run docs`: builds the documentation site, which works offline. It contains the guides of `docs/`, the reference
 * and the error codes from the bundled contract, and the demo of the uploader.
 *
 * - `--whole` fails when development dependencies are missing, instead of building a plain site. `npm pack` uses it.
 * - `--if-stale` does nothing while the site is newer than its sources. `npm start` uses it.
 */
import { createHash } from 'node:crypto';
import { chmod, copyFile, cp, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { yamlOf } from '#server/doors/api/contract-yaml.ts';
import type { Json } from '../codegen/document.ts';
import { copyDemo } from './demo.ts';
import { developmentModule } from './dev-dependencies.ts';
import { llmsText } from './llms.ts';
import { siteMenu } from './menu.ts';
import { ensureModules, moduleSources } from './modules.ts';
import { plainMarkdown, type Page } from './pages/page.ts';
import { sitePages } from './pages/pages.ts';
import { plainSite } from './plain-site.ts';
import { writeRedoc } from './redoc.ts';
import { sitePage } from './site-page.ts';
import { tagContracts } from './tag-contracts.ts';
import { tryCalls } from './try-calls.ts';
import { hasGenerator, renderSite, writeDeep } from './vitepress.ts';

const root = join(import.meta.dirname, '../..');
const site = join(root, 'dist/docs');
/** Describes the inputs that a site was built from. */
const madeFrom = 'made-from.txt';

/** Returns a short text that covers every input of the site. */
async function inputs(): Promise<string> {
  const patterns = [
    'openapi/{build,codegen,site}/**/*.{ts,css,js}',
    'docs/**/*.{md,svg}',
    'uploader/demo/upload-demo.*',
    ...moduleSources,
  ];
  const files: string[] = [];
  for (const pattern of patterns) for await (const name of glob(pattern, { cwd: root })) files.push(name);
  const fixed = [
    'SECURITY.md',
    'CHANGELOG.md',
    'mocks/README.md',
    'openapi/README.md',
    'server/pages/tokens.css',
    'server/features/s3/error-meanings.ts',
  ];
  const hash = createHash('sha256');
  for (const file of new Set([...files.sort(), ...fixed])) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

/** Returns the page that the server shows at an address without a page. It stands at any depth. */
function missingPage(): string {
  const body = `<h1>There is no such page</h1>
<p>Was the address typed by hand? The <a href="/docs/">first page</a> has a search and a menu. Error codes have addresses such as
<a href="/docs/errors/INVALID_BODY">/docs/errors/INVALID_BODY</a>, and operations are on the pages of the <a href="/docs/reference">reference</a>.</p>`;
  return sitePage({ title: 'No such page', body, up: '/docs/' });
}

/** Marks a site that was built without development dependencies. It is rebuilt once they are installed. */
const plainly = ' plainly';

/** Writes what the contract gives beside the pages: itself, its parts by tag, the calls of "Try it", and Redoc. */
async function writeContract(folder: string, document: Json): Promise<void> {
  await copyFile(join(root, 'generated/openapi.json'), join(folder, 'openapi.json'));
  await writeFile(join(folder, 'openapi.yaml'), yamlOf(document));
  const contracts = tagContracts(document);
  for (const [tag, contract] of contracts)
    await writeDeep(join(folder, `contract/${tag}.json`), JSON.stringify(contract, null, 2));
  for (const [tag, calls] of tryCalls(document))
    await writeDeep(join(folder, `try/${tag}.json`), JSON.stringify(calls));
  await writeRedoc(folder, document, contracts);
}

/** Writes every page as Markdown, and a list of them for assistants. */
async function writeMarkdown(folder: string, pages: readonly Page[], llms: string): Promise<void> {
  for (const page of pages) await writeDeep(join(folder, `${page.path}.md`), plainMarkdown(page));
  await writeFile(join(folder, 'llms.txt'), llms);
}

/**
 * Builds the site in a folder and replaces the old one. Without development dependencies there is no Redoc, and every
 * page is plain text.
 */
export async function buildDocs(folder: string = site): Promise<void> {
  const document: Json = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
  await ensureModules();
  const pages = await sitePages(root, document);
  const menu = siteMenu(pages, document);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(join(root, 'dist'), { recursive: true });
  // Built in another folder and then renamed, so that a server never serves half a site.
  const outer = hasGenerator() ? await renderSite(pages, menu, join(root, 'dist')) : await mkdtemp(`${folder}-`);
  const fresh = join(outer, 'site');
  try {
    if (!hasGenerator()) for (const [name, page] of plainSite(pages, menu)) await writeDeep(join(fresh, name), page);
    await writeFile(join(fresh, '404.html'), missingPage());
    await copyFile(join(root, 'docs/cubby.svg'), join(fresh, 'favicon.svg'));
    await cp(join(root, 'docs/diagrams'), join(fresh, 'diagrams'), { recursive: true });
    await writeMarkdown(fresh, pages, llmsText(menu, [...tagContracts(document).keys()]));
    await writeContract(fresh, document);
    await copyDemo(fresh);
    await writeFile(join(fresh, madeFrom), (await inputs()) + (isWhole() ? '' : plainly));
    // mkdtemp allows only the owner, but other users may serve these files.
    await chmod(fresh, 0o755);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(outer, { recursive: true, force: true });
  }
}

/** Returns whether all dependencies of the whole site are installed. */
function isWhole(): boolean {
  return hasGenerator() && developmentModule('@redocly/cli/package.json') !== undefined;
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
        'The development dependencies are not installed (--omit=dev), so every page is plain text. The package that npm pack makes carries the whole site.',
      );
    if (!isForStart) console.log(`The documentation is in ${shownSite}/index.html.`);
  } catch (error) {
    if (!isForStart) throw error;
    // The server also works without its documentation.
    console.log(`The documentation could not be built: ${(error as Error).message}. The server runs without it.`);
  }
}

if (import.meta.main) await main();
