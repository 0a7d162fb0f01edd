/** The vocabulary and its tokenizer. Only the counting thread loads it: that takes a quarter of a second and 40 MB. */
import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

import type { ByteRanks } from './merge-bytes.ts';

/** How many results the library caches. Its default is a hundred thousand texts of callers. */
const rememberedRuns = 1000;

setMergeCacheSize(rememberedRuns);

/** Marks such as <|endoftext|> are ordinary text here. */
const asText = { disallowedSpecial: new Set<string>() };

/** Splits a text before bytes are merged. Global. */
export const pieceExpression = CL100K_TOKEN_SPLIT_REGEX;

/** Counts exactly. Only for short texts, because it is quadratic on unbroken runs. */
export function countShort(text: string): number {
  return countTokens(text, asText);
}

let ranks: ByteRanks | undefined;

/** Returns the ranks for long runs. They are built at the first call. */
export function byteRanks(): ByteRanks {
  return (ranks ??= ranksOf(tokens));
}

/**
 * Builds a map whose keys have one character for each byte. The library decodes a byte sequence at each look-up, which
 * takes ten times as long.
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
