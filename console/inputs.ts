const factors: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** What a field for sizes accepts, for its `pattern`. */
export const sizePattern = '\\s*[0-9]+([.,][0-9]+)?\\s*([kKmMgGtT]?[iI]?[bB]?)\\s*';

/** Reads a size as people type it, such as `100 MB` or `1.5 GiB`, in powers of 1024. Undefined if it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*([kmgt]?)i?b?\s*$/i.exec(text);
  if (!match) return undefined;
  return Math.round(Number(match[1]!.replace(',', '.')) * factors[match[2]!.toLowerCase()]!);
}

/** Returns a size as a field shows it, without losing a byte: `100 MiB`, or `1000 B`. */
export function sizeText(bytes: number): string {
  const unit = ['t', 'g', 'm', 'k'].find((one) => bytes % factors[one]! === 0 && bytes > 0);
  return unit === undefined ? `${bytes} B` : `${bytes / factors[unit]!} ${unit.toUpperCase()}iB`;
}

/** Reads extensions as people type them: `.PDF, jpg tar.gz`. Each occurs once. */
export function parseExtensions(text: string): string[] {
  const entries = text.toLowerCase().split(/[\s,;]+/);
  return [...new Set(entries.map((entry) => entry.replace(/^\*?\.?/, '')).filter(Boolean))];
}

/** Reads lines, or a list with commas between them. */
export function parseList(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

/** Reads metadata, one `key: value` or `key=value` a line. Undefined if a line is neither. */
export function parseMetadata(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pairs = lines.filter((line) => line !== '').map((line) => /^([^:=\s]+)\s*[:=]\s*(.*)$/.exec(line));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]));
}
