import { keyPlaceholder } from '../../build/samples/call.ts';

/** What the reader entered. Each may be empty. */
export interface Own {
  readonly address: string;
  readonly key: string;
}

/**
 * Returns whether a value can stand in a sample and in a header: ASCII without spaces, quotes or backslashes. Quotes
 * would end the text that the value stands in.
 */
export function isUsable(value: string): boolean {
  return /^[!-~]*$/.test(value) && !/["'`\\]/.test(value);
}

/**
 * Returns a sample with the reader's address and key. Empty and unusable values leave the sample as it is. Neither
 * value is read as a pattern, and one never changes the other.
 *
 * @param example the address in the sample
 */
export function withOwn(sample: string, { address, key }: Own, example: string): string {
  const shown = { address: isUsable(address) ? address : '', key: isUsable(key) ? key : '' };
  return sample
    .split(keyPlaceholder)
    .map((part) => part.replaceAll(example, () => shown.address || example))
    .join(shown.key || keyPlaceholder);
}
