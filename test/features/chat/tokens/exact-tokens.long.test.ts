import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';

import { countInputTokens } from '#server/features/chat/tokens/count-tokens.ts';
import { shortPart, textParts } from '#server/features/chat/tokens/text-parts.ts';
import { pieceExpression } from '#server/features/chat/tokens/vocabulary.ts';

const asText = { disallowedSpecial: new Set<string>() };
const count = (content: string, limitTokens = Infinity) =>
  countInputTokens(
    { messages: [{ role: 'user', content }] },
    { limitTokens, accountId: 'account', signal: new AbortController().signal },
  );

/** Returns a generator of random numbers, the same for each seed. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = [
  'the',
  ' folder',
  "'s",
  "'ll",
  ' It',
  'é',
  '漢字',
  ' 1234',
  '0',
  '.',
  ' —',
  '!\n\n',
  '\n',
  '\r\n',
  '  ',
  ' ',
  '\t',
  '\u00a0',
  '😀',
  '👨‍👩‍👧',
  '𠀀',
  '𝐀b',
  'ा',
  '==',
  '"',
  '<|endoftext|>',
  '\ud83d',
  '\udc00',
  'ſ',
  "don'T",
];

/** Returns random words, each a few or very many times. */
function someText(seed: number): string {
  const below = chance(seed);
  let text = '';
  for (let parts = 1 + below(60); parts > 0; parts--)
    text += words[below(words.length)]!.repeat(below(8) === 0 ? below(400) : 1 + below(4));
  return text;
}

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 20_000 : 400;

describe('countInputTokens(), compared with the tokenizer', () => {
  it('counts the same for random texts, with long and short runs', { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= rounds; seed++) {
      const text = someText(seed);
      expect(await count(text), JSON.stringify(text)).toBe(countTokens(text, asText));
    }
  });

  it.each([
    ['prose', 'Cubby keeps its files in a folder; everything else lies in one SQLite database.\n\n'],
    ['code', '  if (a[0] !== "x") {\n    return await b(c, 12_345);\n  }\n'],
    ['JSON', '{"id":"9f2c1ab4","size":123456,"tags":["a","b"]},'],
    ['Japanese', 'ファイルは一つのフォルダーに保存されます。'],
    ['Thai', 'ไฟล์ทั้งหมดถูกเก็บไว้ในโฟลเดอร์เดียว'],
    ['a table', '| a   |    12 |\n|-----|-------|\n'],
  ])('counts the same for much %s', async (_, unit) => {
    const text = unit.repeat(Math.ceil(20_000 / unit.length));
    expect(await count(text)).toBe(countTokens(text, asText));
  });

  it('counts the same for a run longer than a block', async () => {
    for (const unit of ['a', 'qzxjkvbwpfgyhm', '漢', '-=', ' ']) {
      const run = unit.repeat(Math.ceil(6000 / unit.length));
      expect(await count(run), unit).toBe(countTokens(run, asText));
    }
  });

  it('accepts a text that fits to the last token, and nothing more', async () => {
    for (const unit of ['word ', 'donaudampfschiff', '漢字']) {
      const text = unit.repeat(2000);
      const exact = countTokens(text, asText);
      expect(await count(text, exact)).toBe(exact);
      expect(await count(text, exact - 1)).toBeGreaterThan(exact - 1);
    }
  });
});

describe('textParts()', () => {
  it('returns all of the text, in parts that are short or one run', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const text = someText(seed);
      const parts = [...textParts(text, pieceExpression)];
      expect(parts.map((part) => part.text).join('')).toBe(text);
      for (const part of parts) {
        expect(part.isLong).toBe(part.text.length > shortPart);
        if (part.isLong) expect(part.text.match(pieceExpression)).toHaveLength(1);
      }
    }
  });
});
