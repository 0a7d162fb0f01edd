import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

import { linkTo, withLinks, type Page } from './page.ts';
import { builtPage, namedDocuments, servedFiles } from './documents.ts';

/** Returns every document of `docs/`, and the documents that they link to. */
export async function guidePages(root: string): Promise<Page[]> {
  const paths: string[] = [];
  for await (const path of glob('docs/**/*.md', { cwd: root })) paths.push(path.replaceAll('\\', '/'));
  const sources = [...new Set([...paths.sort(), ...Object.keys(namedDocuments)])];
  const addresses = new Map(
    sources.map((path) => [path, namedDocuments[path] ?? path.slice('docs/'.length, -'.md'.length)]),
  );
  return Promise.all(
    sources.map(async (source) => {
      const markdown = await readFile(join(root, source), 'utf8');
      const path = addresses.get(source)!;
      const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? path;
      return { path, title, source, markdown: withSiteLinks(markdown, source, addresses) };
    }),
  );
}

/** Points links at pages of the site. Links to files of the repository without a page become plain text. */
function withSiteLinks(markdown: string, source: string, addresses: ReadonlyMap<string, string>): string {
  return withLinks(markdown, ({ whole, isImage, text, href }) => {
    if (isImage || /^(https?:|mailto:|#)/.test(href)) return whole;
    const [path = '', fragment] = href.split('#');
    const file = posix.join(posix.dirname(source), path);
    const anchor = fragment === undefined ? '' : `#${fragment}`;
    if (servedFiles[file] !== undefined) return `[${text}](${servedFiles[file]}${anchor})`;
    const target = addresses.get(file) ?? builtPage(file);
    return target === undefined ? text : `[${text}](${linkTo(addresses.get(source)!, target)}${anchor})`;
  });
}

/** Makes anchors like repository hosts, so that links to headings work there and here. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
