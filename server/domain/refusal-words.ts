import { errors } from '#generated/errors.ts';
import type { Refusal } from './refusal.ts';

/** A refusal in words for people who met it outside of any protocol, at the command line for instance. */
export function refusalWords({ code, words }: Refusal): string {
  const table: Readonly<Record<string, { readonly message: string }>> = errors.envelope;
  return words ?? table[code]?.message ?? code;
}
