import { nextTurn } from '../next-turn.ts';
import type { ByteRanks } from './merge-bytes.ts';

/** A vocabulary and its tokenizer. */
export interface Vocabulary {
  /** Exact, and quadratic on unbroken runs: for short texts. */
  countShort(text: string): number;
  /** What splits a text before bytes are merged. Global. */
  readonly pieceExpression: RegExp;
  /** For runs that are not short. Built the first time, a little in each turn of the event loop. */
  byteRanks(): Promise<ByteRanks>;
}

/** Results that the library remembers; it would keep a hundred thousand of whatever callers send. */
const rememberedRuns = 1000;

/** Tokens of the vocabulary that are looked at in one turn. */
const tokensAtOnce = 500;

let vocabulary: Promise<Vocabulary> | undefined;

/** Loads the vocabulary, once. */
export function loadVocabulary(): Promise<Vocabulary> {
  vocabulary ??= load().catch((error: unknown) => {
    vocabulary = undefined;
    throw error;
  });
  return vocabulary;
}

async function load(): Promise<Vocabulary> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/cl100k_base');
  const { CL100K_TOKEN_SPLIT_REGEX: pieceExpression } = await import('gpt-tokenizer/encodingParams/constants');
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/cl100k_base');
  setMergeCacheSize(rememberedRuns);
  // Marks such as <|endoftext|> are text like any other here.
  const asText = { disallowedSpecial: new Set<string>() };
  let ranks: Promise<ByteRanks> | undefined;
  return {
    countShort: (text) => countTokens(text, asText),
    pieceExpression,
    byteRanks: () => (ranks ??= ranksOf(tokens)),
  };
}

/**
 * The library looks a sequence of bytes up by decoding it each time. One character a byte, as a key, takes a tenth of
 * that.
 */
async function ranksOf(tokens: ReadonlyArray<string | readonly number[]>): Promise<ByteRanks> {
  const ranks = new Map<string, number>();
  let maxBytes = 0;
  for (const [rank, token] of tokens.entries()) {
    if (rank % tokensAtOnce === 0) await nextTurn();
    const bytes = Buffer.from(token as string).toString('latin1');
    ranks.set(bytes, rank);
    maxBytes = Math.max(maxBytes, bytes.length);
  }
  return { rankOf: (bytes) => ranks.get(bytes), maxBytes };
}
