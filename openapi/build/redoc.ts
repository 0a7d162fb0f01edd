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

const options = {
  layout: 'three-panel',
  hideSchemaTitles: true,
  sortRequiredPropsFirst: true,
  maxDisplayedEnumValues: 8,
  hideDownloadButtons: true,
  disableTelemetry: true,
};

/** The pictures that Redoc would load from a CDN. */
const remotePictures = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const attribution = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="16"><text x="0" y="12" font-family="sans-serif" font-size="11" fill="#4a6a95">Redoc</text></svg>',
)}`;

const style = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.5rem; border-bottom: 1px solid #8884; }
header a, main a { color: inherit; text-decoration-color: #ef8354; text-underline-offset: .2em; }
main > p { padding: 0 1.5rem; }
`;

/**
 * Writes a page with Redoc for each tag. Its script is one file for all of them, which a reader loads only there: the
 * reference itself is plain pages.
 */
export async function writeRedoc(folder: string, document: Json, contracts: ReadonlyMap<string, Json>): Promise<void> {
  const manifest = developmentModule('@redocly/cli/package.json');
  if (manifest === undefined) return;
  // What `redocly build-docs` puts into the pages that it makes.
  const bundle = await readFile(join(dirname(manifest), 'lib/chunks/redoc.standalone.js'), 'utf8');
  const script = bundle.replaceAll(remotePictures, attribution);
  const name = contentName('redoc', 'js', script);
  await Promise.all(['assets', 'redoc'].map((one) => mkdir(join(folder, one), { recursive: true })));
  await writeFile(join(folder, 'assets', name), script);
  for (const tag of tagsOf(document)) {
    const contract = contractForRedoc(document, contracts.get(tag.id)!);
    await writeFile(join(folder, `redoc/${tag.id}.json`), JSON.stringify(contract));
    await writeFile(join(folder, `redoc/${tag.id}.html`), redocPage(tag, name));
  }
}

function redocPage({ id, name }: Tag, script: string): string {
  return withPolicy(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(name)} in Redoc – Cubby</title>
<link rel="icon" href="../favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<header><a href="../">Cubby</a> <a href="../${tagPath(id)}">${escaped(name)}</a> <a href="../reference">API reference</a></header>
<main id="redoc"><p>Loading Redoc, 700 KB … The same operations are on <a href="../${tagPath(id)}">a plain page</a>.</p></main>
<script type="module">
import { init } from '../assets/${script}';
const contract = await (await fetch('${id}.json')).json();
const place = document.getElementById('redoc');
place.replaceChildren();
init(contract, ${JSON.stringify(options)}, place);
</script>
</body>
</html>
`);
}
