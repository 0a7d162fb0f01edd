/** The output of a bench: progress, and a table at the end. */
export interface Report {
  /** Prints a line of progress. */
  say(text: string): void;
  /** Adds a line to the table. `beside` is the figure to compare with. */
  row(what: string, figure: string, beside?: string): void;
}

export function perSecond(count: number, ms: number): number {
  return (count * 1000) / ms;
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
}

export function rounded(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toFixed(1);
}

/** Formats a table as text. */
export function tableOf(rows: ReadonlyArray<readonly string[]>): string {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, column) => Math.max(cell.length, found[column] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
