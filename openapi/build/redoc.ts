import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Json } from '../codegen/document.ts';
import { contentName } from './content-name.ts';
import { developmentModule } from './dev-dependencies.ts';
import { withPolicy } from './page-policy.ts';
import { tagPath } from './pages/addresses.ts';
import { tagsOf, type Tag } from './pages/reference.ts';
import { escaped } from './site-page.ts';
import { contractForRedoc } from './tag-contracts.ts';
import { tokensByClass } from './theme-tokens.ts';

const options = {
  layout: 'three-panel',
  hideSchemaTitles: true,
  sortRequiredPropsFirst: true,
  maxDisplayedEnumValues: 8,
  hideDownloadButtons: true,
  disableTelemetry: true,
};

const attribution = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="16"><text x="0" y="12" font-family="sans-serif" font-size="11" fill="#4a6a95">Redoc</text></svg>',
)}`;

/** What is changed in Redoc's script. Each must be found there, so that a new version is not left as it is. */
const changes: ReadonlyArray<readonly [what: string, found: RegExp, replacement: string]> = [
  ['the pictures from a CDN', /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, attribution],
  // A page has one main part. Redoc would make every description one.
  [
    'the element of descriptions',
    /\.main(?=\.withConfig\(\{[^}]*\}\)\.attrs\(\{"data-component-name":`Markdown\/)/g,
    '.div',
  ],
];

function changed(script: string): string {
  return changes.reduce((text, [what, found, replacement]) => {
    if (text.search(found) === -1)
      throw new Error(
        `Redoc's script has no more ${what}, which the site replaces. Check whether this is still needed.`,
      );
    return text.replaceAll(found, () => replacement);
  }, script);
}

const source = join(import.meta.dirname, '../site');

/** Returns the block of the site's stylesheet with a selector. @throws if there is none */
function block(style: string, selector: string): string {
  const [found] = new RegExp(`^\\${selector} \\{[^}]*\\}`, 'm').exec(style) ?? [];
  if (found === undefined)
    throw new Error(`The theme's style.css has no block "${selector}", which Redoc gets its colors from.`);
  return found;
}

/** Returns the stylesheet of the pages with Redoc, in the colors of the site. */
async function redocStyle(): Promise<string> {
  const [site, own] = await Promise.all(
    ['theme/style.css', 'redoc/style.css'].map((name) => readFile(join(source, name), 'utf8')),
  );
  return `${tokensByClass()}\n${block(site!, ':root')}\n${own}`;
}

/**
 * Writes a page with Redoc for each tag. Its script is one file for all of them, which a reader loads only there: the
 * reference itself is plain pages.
 */
export async function writeRedoc(folder: string, document: Json, contracts: ReadonlyMap<string, Json>): Promise<void> {
  const manifest = developmentModule('@redocly/cli/package.json');
  if (manifest === undefined) return;
  // What `redocly build-docs` puts into the pages that it makes.
  const script = changed(await readFile(join(dirname(manifest), 'lib/chunks/redoc.standalone.js'), 'utf8'));
  const accessible = await readFile(join(source, 'redoc/accessible.js'), 'utf8');
  const parts: PageParts = {
    script: contentName('redoc', 'js', script),
    accessible: contentName('redoc-accessible', 'js', accessible),
    style: await redocStyle(),
    appearance: await readFile(join(source, 'redoc/appearance.js'), 'utf8'),
  };
  await Promise.all(['assets', 'redoc'].map((one) => mkdir(join(folder, one), { recursive: true })));
  await writeFile(join(folder, 'assets', parts.script), script);
  await writeFile(join(folder, 'assets', parts.accessible), accessible);
  for (const tag of tagsOf(document)) {
    const contract = contractForRedoc(document, contracts.get(tag.id)!);
    await writeFile(join(folder, `redoc/${tag.id}.json`), JSON.stringify(contract));
    await writeFile(join(folder, `redoc/${tag.id}.html`), redocPage(tag, parts));
  }
}

/** What all pages with Redoc share. */
interface PageParts {
  /** Names below `assets/`. */
  readonly script: string;
  readonly accessible: string;
  readonly style: string;
  /** A script that runs before anything is shown. */
  readonly appearance: string;
}

function redocPage({ id, name }: Tag, { script, accessible, style, appearance }: PageParts): string {
  return withPolicy(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(name)} in Redoc – Cubby</title>
<link rel="icon" href="../favicon.svg" type="image/svg+xml">
<link rel="preload" as="fetch" href="${id}.json" crossorigin>
<style>${style}</style>
<script>{
${appearance}}</script>
</head>
<body>
<header><a href="../">Cubby</a> <a href="../${tagPath(id)}">${escaped(name)}</a> <a href="../reference">API reference</a></header>
<div id="redoc"><main class="loading"><p>Loading Redoc, 700 KB … The same operations are on <a href="../${tagPath(id)}">a plain page</a>.</p></main></div>
<script type="module">
import { init } from '../assets/${script}';
import { makeAccessible } from '../assets/${accessible}';
const contract = await (await fetch('${id}.json')).json();
const place = document.getElementById('redoc');
place.replaceChildren();
makeAccessible(place);
init(contract, ${JSON.stringify(options)}, place);
</script>
</body>
</html>
`);
}
