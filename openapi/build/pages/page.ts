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
