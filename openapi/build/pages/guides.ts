import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

import { linkTo, type Page } from './page.ts';

/** Documents outside `docs/` that the guides link to. */
const others: Readonly<Record<string, string>> = {
  'docs/README.md': 'index',
  'SECURITY.md': 'security',
  'mocks/README.md': 'mocks',
  'openapi/README.md': 'contract',
  'CHANGELOG.md': 'changelog',
};

/** Pages that are made from the contract. Documents link to them by their address on the site: `/docs/limits`. */
const siteAddress = /^\/docs\//;

/** Returns every document of `docs/`, and the documents that they link to. */
export async function guidePages(root: string): Promise<Page[]> {
  const paths: string[] = [];
  for await (const path of glob('docs/**/*.md', { cwd: root })) paths.push(path.replaceAll('\\', '/'));
  const sources = [...new Set([...paths.sort(), ...Object.keys(others)])];
  const addresses = new Map(sources.map((path) => [path, others[path] ?? path.slice('docs/'.length, -'.md'.length)]));
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
  // Text between ``` stays as it is.
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, link)))
    .join('');

  function link(whole: string, mark: string, text: string, href: string): string {
    if (mark === '!' || /^(https?:|mailto:|#)/.test(href) || siteAddress.test(href)) return whole;
    const [path = '', fragment] = href.split('#');
    const target = addresses.get(posix.join(posix.dirname(source), path));
    if (target === undefined) return text;
    return `[${text}](${linkTo(addresses.get(source)!, target)}${fragment === undefined ? '' : `#${fragment}`})`;
  }
}

/** Makes anchors like repository hosts, so that links to headings work there and here. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
