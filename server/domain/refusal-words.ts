import { errors } from '#generated/errors.ts';
import type { Refusal } from './refusal.ts';

/**
 * A refusal's own words; without any the words that its code has in a protocol, with the refusal's detail after them.
 */
export function refusalMessage({ words, detail }: Pick<Refusal, 'words' | 'detail'>, standard: string): string {
  return words ?? (detail === undefined ? standard : `${standard} ${detail}`);
}

/** A refusal in words for people who met it outside of any protocol, at the command line for instance. */
export function refusalWords(refusal: Refusal): string {
  const table: Readonly<Record<string, { readonly message: string }>> = errors.envelope;
  return refusalMessage(refusal, table[refusal.code]?.message ?? refusal.code);
}
