import { errors } from '#generated/errors.ts';
import type { Refusal } from './refusal.ts';

/** Returns a refusal's own message, or else the message of its code in a protocol, followed by the detail. */
export function refusalMessage(
  { ownMessage, detail }: Pick<Refusal, 'ownMessage' | 'detail'>,
  standard: string,
): string {
  return ownMessage ?? (detail === undefined ? standard : `${standard} ${detail}`);
}

/** Returns a refusal's message outside of any protocol, such as at the command line. */
export function plainRefusalMessage(refusal: Refusal): string {
  const table: Readonly<Record<string, { readonly message: string }>> = errors.envelope;
  return refusalMessage(refusal, table[refusal.code]?.message ?? refusal.code);
}
