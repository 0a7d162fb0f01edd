import { describe, expect, it } from 'vitest';

import { logLines } from '#server/features/deploys/log-lines.ts';

const lines = (text: string | Buffer, { isLast = false, limit = 1000 } = {}) =>
  logLines(Buffer.from(text), { isLast, limit });
const texts = (...args: Parameters<typeof lines>) => lines(...args).map(({ text }) => text);

describe('logLines()', () => {
  it('returns whole lines, and where the next one begins', () => {
    expect(lines('one\n\né\nnot yet')).toEqual([
      { text: 'one', end: 4 },
      { text: '', end: 5 },
      { text: 'é', end: 8 },
    ]);
  });

  it('returns a last line without an end only when nothing follows', () => {
    expect(texts('one\ntwo', { isLast: true })).toEqual(['one', 'two']);
    expect(texts('', { isLast: true })).toEqual([]);
  });

  it('returns no more lines than asked for', () => {
    expect(texts('1\n2\n3\n', { limit: 2 })).toEqual(['1', '2']);
  });

  it('keeps escape sequences and carriage returns, and replaces what is not UTF-8', () => {
    expect(texts(Buffer.from([0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x0d, 0xff, 0x0a]))).toEqual(['\u001b[31m\r�']);
  });

  it.each([1, 2, 3, 4])('divides a line that is too long between characters of %i bytes', (bytes) => {
    const character = ['a', 'é', '☁', '😀'][bytes - 1]!;
    const whole = `x${character.repeat(5000)}`;
    const found = lines(`${whole}\nnext\n`);
    expect(found.map(({ text }) => text).join('')).toBe(`${whole}next`);
    expect(found.every(({ text }) => Buffer.byteLength(text) <= 8192 && !text.includes('�'))).toBe(true);
    expect(found.at(-1)!.text).toBe('next');
  });

  it('has a line of exactly the longest length whole', () => {
    expect(texts(`${'a'.repeat(8192)}\n`).map(({ length }) => length)).toEqual([8192]);
    expect(texts(`${'a'.repeat(8193)}\n`).map(({ length }) => length)).toEqual([8192, 1]);
    expect(texts('a'.repeat(8192))).toEqual([]);
  });

  it('divides a line of continuation bytes that belong to no character', () => {
    expect(lines(Buffer.alloc(20_000, 0x80), { isLast: true }).map(({ end }) => end)).toEqual([8192, 16_384, 20_000]);
  });
});
