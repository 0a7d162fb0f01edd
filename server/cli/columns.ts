/** Removes control characters. Names may come from API clients and must not control the terminal. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '�');
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** Formats a time as ISO 8601. */
export function instant(at: number): string;
export function instant(at: number | null): string | null;
export function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Formats rows as lines with aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(plain));
  const widths: number[] = [];
  for (const row of cells)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]! + cell.length - lengthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a title with indented `name  value` lines below it. */
export function facts(title: string, rows: readonly (readonly [name: string, value: string])[]): string {
  return `${plain(title)}\n\n${columns(rows).replace(/^/gm, '  ')}`;
}
