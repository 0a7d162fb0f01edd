/** The vocabulary and its tokenizer. Loading it takes a quarter of a second and 40 MB: only the counting thread does. */
import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

import type { ByteRanks } from './merge-bytes.ts';

/** Results that the library remembers; it would keep a hundred thousand of whatever callers send. */
const rememberedRuns = 1000;

setMergeCacheSize(rememberedRuns);

/** Marks such as <|endoftext|> are text like any other here. */
const asText = { disallowedSpecial: new Set<string>() };

/** Splits a text before bytes are merged. Global. */
export const pieceExpression = CL100K_TOKEN_SPLIT_REGEX;

/** Exact, and quadratic on unbroken runs: for short texts. */
export function countShort(text: string): number {
  return countTokens(text, asText);
}

let ranks: ByteRanks | undefined;

/** For runs that are not short. Built the first time. */
export function byteRanks(): ByteRanks {
  return (ranks ??= ranksOf(tokens));
}

/**
 * The library looks a sequence of bytes up by decoding it each time. One character a byte, as a key, takes a tenth of
 * that.
 */
function ranksOf(tokens: ReadonlyArray<string | readonly number[]>): ByteRanks {
  const ranks = new Map<string, number>();
  let maxBytes = 0;
  for (const [rank, token] of tokens.entries()) {
    const bytes = Buffer.from(token as string).toString('latin1');
    ranks.set(bytes, rank);
    maxBytes = Math.max(maxBytes, bytes.length);
  }
  return { rankOf: (bytes) => ranks.get(bytes), maxBytes };
}
