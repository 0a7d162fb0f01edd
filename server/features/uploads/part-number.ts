declare const kind: unique symbol;

/** The number of a part within its upload, from 1. Only {@link parsePartNumber} makes one. */
export type PartNumber = number & { readonly [kind]: 'PartNumber' };

/** Reads a part number from 1 to `most`. Returns `undefined` for anything else. */
export function parsePartNumber(given: string | number, most: number): PartNumber | undefined {
  const number = /^[0-9]{1,5}$/.test(String(given)) ? Number(given) : 0;
  return number >= 1 && number <= most ? (number as PartNumber) : undefined;
}
