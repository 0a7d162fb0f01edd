const powers: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3 };

/** Bytes of a size as people write it: `10MB`, `500 KiB`, `1048576`. A KB is 1024 bytes, as in the service's limits. `undefined` for what is none. */
export function parseSize(text: string): number | undefined {
  const [, value, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(?:([KMG])i?B?|B)?\s*$/i.exec(text) ?? [];
  return value === undefined ? undefined : Math.round(Number(value) * 1024 ** powers[unit.toUpperCase()]!);
}
