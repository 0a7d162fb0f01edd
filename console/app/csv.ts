/** A value of a table that is saved as CSV. */
type CsvValue = string | number | null | undefined;

/**
 * Returns a table as CSV (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. Texts that a
 * spreadsheet would run as a formula get an apostrophe before them.
 */
export function csvOf(head: readonly string[], rows: ReadonlyArray<readonly CsvValue[]>): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

/** At the beginning, and after what spreadsheets of some countries take for the end of a cell. */
const startOfFormula = /(^|[;\t])(?=\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

function cellOf(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = value.replace(startOfFormula, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves a table as a file of the person. */
export function saveCsv(name: string, head: readonly string[], rows: ReadonlyArray<readonly CsvValue[]>): void {
  const address = URL.createObjectURL(new Blob([csvOf(head, rows)], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has read the address by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
