import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

import { developmentModule } from './dev-dependencies.ts';
import { escaped, sitePage } from './site-page.ts';

/** A document that becomes a page of the site. */
export interface Guide {
  /** The page's name without extension. */
  readonly name: string;
  /** Path from the repository root. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** Documents outside `docs/` that the guides link to. */
const others: Readonly<Record<string, string>> = {
  'SECURITY.md': 'security',
  'mocks/README.md': 'mocks',
  'openapi/README.md': 'contract',
  'CHANGELOG.md': 'changelog',
};

/** Returns every guide of `docs/`, and the documents that they link to. */
export async function guides(root: string): Promise<Guide[]> {
  const paths: string[] = [];
  for await (const path of glob('docs/*.md', { cwd: root })) paths.push(path);
  return Promise.all(
    [...paths.sort(), ...Object.keys(others)].map(async (path) => {
      const markdown = await readFile(join(root, path), 'utf8');
      const name = others[path] ?? posix.basename(path, '.md');
      return { name, path, title: /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? name, markdown };
    }),
  );
}

/**
 * Renders the guides as pages, and `guides.html`, which links to all of them. Without the Markdown library they are
 * plain text.
 */
export async function guidePages(all: readonly Guide[]): Promise<Map<string, string>> {
  const toHtml =
    (await markdownPrinter(all)) ?? (({ markdown }: Guide) => `<pre class="plain">${escaped(markdown)}</pre>`);
  const items = all.map(({ name, title }) => `<li><a href="${name}.html">${escaped(title)}</a></li>`);
  const overview = `<h1>Guides</h1>\n<ul>\n${items.join('\n')}\n</ul>`;
  return new Map([
    ['guides.html', sitePage({ title: 'Guides', body: overview })],
    ...all.map((guide) => [`${guide.name}.html`, sitePage({ title: guide.title, body: toHtml(guide) })] as const),
  ]);
}

interface Token {
  readonly text: string;
  readonly depth: number;
  readonly href: string;
  readonly tokens: readonly Token[];
}

interface Renderer {
  readonly parser: { parseInline(tokens: readonly Token[]): string };
}

/** The used part of the library's interface. It is a development dependency, which `--omit=dev` leaves out. */
interface Markdown {
  readonly Marked: new (options: {
    readonly renderer: Readonly<Record<string, (this: Renderer, token: Token) => string | false>>;
  }) => { parse(markdown: string): string };
}

async function markdownPrinter(all: readonly Guide[]): Promise<((guide: Guide) => string) | undefined> {
  const library = developmentModule('marked');
  if (library === undefined) return undefined;
  const { Marked } = (await import(pathToFileURL(library).href)) as Markdown;
  const names = new Map(all.map(({ path, name }) => [path, name]));
  return ({ path, markdown }) => {
    const taken = new Map<string, number>();
    const marked = new Marked({
      renderer: {
        heading({ tokens, depth, text }) {
          return `<h${depth} id="${anchorOf(text, taken)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
        },
        link({ href, tokens }) {
          const text = this.parser.parseInline(tokens);
          const to = addressOf(href, path, names);
          return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
        },
      },
    });
    return marked
      .parse(markdown)
      .replaceAll('<table>', '<div class="wide"><table>')
      .replaceAll('</table>', '</table></div>');
  };
}

/** Makes anchors like repository hosts, so that links to headings work there and here. */
function anchorOf(heading: string, taken: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

/** Returns the target of a link on the site, or undefined for files of the repository that have no page. */
function addressOf(href: string, from: string, names: ReadonlyMap<string, string>): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const name = names.get(posix.join(posix.dirname(from), path));
  return name === undefined ? undefined : `${name}.html${fragment === undefined ? '' : `#${fragment}`}`;
}
