/** A page of the site, as Markdown. The same text is rendered, searched, and served beside the page as `PATH.md`. */
export interface Page {
  /** Address within the site without extension: `errors/INVALID_BODY`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  /** The file that people edit, as a path from the root. Undefined for pages made from the contract. */
  readonly source?: string;
}

/** Returns the link from one page to another, as a relative path to its Markdown. */
export function linkTo(from: string, to: string): string {
  const above = from.split('/').slice(0, -1);
  const steps = to.split('/');
  while (above.length > 0 && steps.length > 1 && above[0] === steps[0]) {
    above.shift();
    steps.shift();
  }
  return `${above.map(() => '../').join('')}${steps.join('/')}.md`;
}

/** Returns Markdown with other links. Code between ``` stays as it is. */
export function withLinks(
  markdown: string,
  change: (link: {
    readonly whole: string;
    readonly isImage: boolean;
    readonly text: string;
    readonly href: string;
  }) => string,
): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark: string, text: string, href: string) =>
            change({ whole, isImage: mark === '!', text, href }),
          ),
    )
    .join('');
}

/** Returns a text as one cell of a Markdown table. */
export function cell(text: string): string {
  return text
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ');
}

/** Returns a Markdown table, or nothing without rows. Columns that are empty in every row are left out. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return '';
  const used = head.map((_, column) => rows.some((row) => row[column]));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => used[column]).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n') + '\n';
}

/** Returns a page as it is served beside its HTML, without the marks that only the generator reads. Anchors stay. */
export function plainMarkdown({ markdown }: Page): string {
  return markdown
    .replaceAll(/^(#+) (.*) \{:#([\w-]+)\}$/gm, '$1 <a id="$3"></a>$2')
    .replaceAll(/ \{:#[\w-]+\}$/gm, '')
    .replaceAll(/^```cubby:\w+.*\n```\n*/gm, '')
    .replaceAll(/^::: code-group\n|^:::$\n?/gm, '');
}
