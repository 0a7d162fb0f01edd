import { parsePartNumber, type PartNumber } from '#server/features/uploads/part-number.ts';
import { parsePrefix, type Prefix } from '#server/domain/prefixes.ts';

/** Parses texts as prefixes. */
export function prefixes(...texts: readonly string[]): Prefix[] {
  return texts.map((text) => parsed(parsePrefix(text), text));
}

/** Parses the number of a part. */
export function partNumber(number: number): PartNumber {
  return parsed(parsePartNumber(number, 10_000), number);
}

function parsed<T>(value: T | undefined, given: unknown): T {
  if (value === undefined) throw new Error(`${String(given)} cannot be read.`);
  return value;
}
