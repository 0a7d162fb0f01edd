import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { expect, it } from 'vitest';

import { longestTokenBytes } from '#server/features/chat/tokens/longest-token.ts';

it('no token of the vocabulary is longer', () => {
  const bytes = tokens.map((token) => Buffer.from(token as string).length);
  expect(bytes.reduce((most, one) => Math.max(most, one), 0)).toBe(longestTokenBytes);
});
