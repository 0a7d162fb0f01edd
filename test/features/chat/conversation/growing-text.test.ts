import { expect, it } from 'vitest';

import { GrowingText } from '#server/features/chat/conversation/growing-text.ts';
import { threadMs } from '#test/support/thread-ms.ts';

it('GrowingText is its pieces in their order, at any time', () => {
  const text = new GrowingText();
  let plain = '';
  for (let at = 0; at < 5000; at++) {
    text.add(`${at} `);
    plain += `${at} `;
    if (at % 700 === 0) expect(String(text)).toBe(plain);
    expect(text.length).toBe(plain.length);
  }
  expect(String(text)).toBe(plain);
});

it('GrowingText takes a million small pieces in linear time', () => {
  const text = new GrowingText();
  const before = threadMs();
  for (let at = 0; at < 1_000_000; at++) text.add('a');
  expect(String(text)).toHaveLength(1_000_000);
  expect(threadMs() - before).toBeLessThan(5000);
});
