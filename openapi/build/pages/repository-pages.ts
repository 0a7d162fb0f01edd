import { posix } from 'node:path';

import { plainMarkdown, withLinks, type Page } from './page.ts';

/** The folder of the pages that are made from the contract, for readers of the repository. */
const folder = 'generated/docs';

/** Returns the path of the page that a file of `generated/docs/` holds, or undefined for other files. */
export function contractPage(file: string): string | undefined {
  return file.startsWith(`${folder}/`) && file.endsWith('.md')
    ? file.slice(folder.length + 1, -'.md'.length)
    : undefined;
}

/** Documents whose pages are not named as their path below `docs/`, and the paths of the pages. */
export const namedDocuments: Readonly<Record<string, string>> = {
  'docs/README.md': 'index',
  'SECURITY.md': 'security',
  'mocks/README.md': 'mocks',
  'openapi/README.md': 'contract',
  'CHANGELOG.md': 'changelog',
};

/** Files of the repository that the site serves as they are, and their addresses there. */
export const servedFiles: Readonly<Record<string, string>> = {
  'generated/openapi.json': '/docs/openapi.json',
  'generated/openapi.yaml': '/docs/openapi.yaml',
  'uploader/demo/upload-demo.html': '/docs/upload-demo',
};

/** Paragraphs with links to what only the site has. */
const onlyOnSite = /\]\(\/docs\/(?:contract|redoc)\//;

/**
 * Returns pages that are made from the contract as files of `generated/docs/`. They are the pages of the site with links
 * and anchors that work on a git host.
 */
export function repositoryPages(pages: readonly Page[]): Map<string, string> {
  const paths = new Set(pages.map(({ path }) => path));
  const files = new Map(
    [...Object.entries(servedFiles), ...Object.entries(namedDocuments).map(([file, path]) => [file, `${path}.md`])].map(
      ([file, address]) => [address, file],
    ),
  );

  function fileOf(from: string, href: string): string {
    const target = posix.join(posix.dirname(from), href);
    // Other guides, and diagrams, are in `docs/`.
    const parent = paths.has(target.replace(/\.md$/, '')) ? folder : 'docs';
    return files.get(href) ?? files.get(target) ?? `${parent}/${target}`;
  }

  function repositoryPage(page: Page): string {
    const kept = page.markdown.split('\n\n').filter((paragraph) => !onlyOnSite.test(paragraph));
    const anchored = kept.join('\n\n').replaceAll(/^## (.*) \{:#([\w-]+)\}$/gm, '## <a id="$2"></a>$1');
    return withLinks(plainMarkdown({ ...page, markdown: anchored }), ({ whole, isImage, text, href }) => {
      if (/^(https?:|mailto:|#)/.test(href)) return whole;
      const [to = '', fragment] = href.split('#');
      const target = posix.relative(posix.dirname(`${folder}/${page.path}`), fileOf(page.path, to));
      return `${isImage ? '!' : ''}[${text}](${target}${fragment === undefined ? '' : `#${fragment}`})`;
    });
  }

  const header = '<!-- Made from openapi/ by `npm run generate`. Never edit it by hand. -->\n\n';
  return new Map(pages.map((page) => [`${page.path}.md`, header + repositoryPage(page)]));
}
