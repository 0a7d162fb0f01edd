import { describe, expect, it } from 'vitest';

import { RedactionTooSlow, Redactor } from '#server/features/chat/redaction/redactor.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';

const card = { name: 'card', pattern: '\\b[0-9]{4}([ -]?[0-9]{4}){3}\\b' };
const mail = { name: 'mail', pattern: '[\\w.]+@[\\w.]+\\w' };

describe('Redactor', () => {
  it('replaces each match by the name of its pattern', async () => {
    const redactor = new Redactor([card, mail]);
    const texts = ['Pay with 4111 1111-11111111, or 4111111111111111.', '', 'a.b@example.com', '漢字 😀 12345'];
    expect(await redactor.redact(texts)).toEqual(['Pay with [card], or [card].', '', '[mail]', '漢字 😀 12345']);
  });

  it('applies patterns in their order, each to what the ones before it left', async () => {
    const redactor = new Redactor([mail, { name: 'bracket', pattern: '\\[mail\\]' }]);
    expect(await redactor.redact(['a@b.c'])).toEqual(['[bracket]']);
  });

  it('takes names literally', async () => {
    expect(await new Redactor([{ name: 'a-1', pattern: '(b)' }]).redact(['abc'])).toEqual(['a[a-1]c']);
  });

  it('gives the same for texts of all lengths, in one step or in many', async () => {
    const redactor = new Redactor([card, mail]);
    const long = `${'lorem ipsum '.repeat(100_000)}4111111111111111`;
    const texts = ['4111111111111111', long, 'a@b.c', long, 'x', ...Array<string>(5000).fill('a@b.c')];
    const shown = texts.map((text) => text.replace('4111111111111111', '[card]').replace('a@b.c', '[mail]'));
    expect(await redactor.redact(texts)).toEqual(shown);
    expect(await redactor.redact([])).toEqual([]);
  });

  it('ends a pattern that tries all ways, and holds the event loop for no longer than it may', async () => {
    const redactor = new Redactor([card, { name: 'slow', pattern: '(a+)+$' }]);
    const work = () => expect(redactor.redact([`${'a'.repeat(40)}!`])).rejects.toThrow(RedactionTooSlow);
    expect(await shortestHoldMs(work)).toBeLessThan(50);
    await expect(redactor.redact([`${'a'.repeat(40)}!`])).rejects.toThrow(
      /^The redaction card or slow takes over 40 ms/,
    );
  });

  it('holds the event loop shortly for a long text and many patterns', async () => {
    const many = Array.from({ length: 32 }, (_, at) => ({ ...card, name: `card${at}` }));
    const texts = ['lorem ipsum 1234 '.repeat(60_000)];
    expect(await shortestHoldMs(() => new Redactor(many).redact(texts))).toBeLessThan(50);
  });
});
