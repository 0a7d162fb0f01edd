import { describe, expect, it, onTestFinished } from 'vitest';

import { RedactionTooSlow, Redactor } from '#server/features/chat/backends/redactor.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';

const card = { name: 'card', pattern: '\\b[0-9]{4}([ -]?[0-9]{4}){3}\\b' };
const mail = { name: 'mail', pattern: '[\\w.]+@[\\w.]+\\w' };

/** Returns a redactor whose thread ends with the test. */
function redactorOf(redactions: ConstructorParameters<typeof Redactor>[0], longestMs?: number): Redactor {
  const redactor = new Redactor(redactions, longestMs);
  onTestFinished(() => redactor.close());
  return redactor;
}

describe('Redactor', () => {
  it('replaces each match by the name of its pattern', async () => {
    const redactor = redactorOf([card, mail]);
    const texts = ['Pay with 4111 1111-11111111, or 4111111111111111.', '', 'a.b@example.com', '漢字 😀 12345'];
    expect(await redactor.redact(texts)).toEqual(['Pay with [card], or [card].', '', '[mail]', '漢字 😀 12345']);
  });

  it('applies patterns in their order, each to what the ones before it left', async () => {
    const redactor = redactorOf([mail, { name: 'bracket', pattern: '\\[mail\\]' }]);
    expect(await redactor.redact(['a@b.c'])).toEqual(['[bracket]']);
  });

  it('takes names literally', async () => {
    expect(await redactorOf([{ name: 'a-1', pattern: '(b)' }]).redact(['abc'])).toEqual(['a[a-1]c']);
  });

  it('gives the same for texts of all lengths, in one step or in many', async () => {
    const redactor = redactorOf([card, mail]);
    const long = `${'lorem ipsum '.repeat(100_000)}4111111111111111`;
    const texts = ['4111111111111111', long, 'a@b.c', long, 'x', ...Array<string>(5000).fill('a@b.c')];
    const shown = texts.map((text) => text.replace('4111111111111111', '[card]').replace('a@b.c', '[mail]'));
    expect(await redactor.redact(texts)).toEqual(shown);
    expect(await redactor.redact([])).toEqual([]);
  });

  it('ends a pattern that tries all ways, and goes on with the next texts', async () => {
    const redactor = redactorOf([card, { name: 'slow', pattern: '(a+)+$' }], 300);
    const texts = [['x'], [`${'a'.repeat(40)}!`], ['4111111111111111']].map((one) => redactor.redact(one));
    const [first, second, third] = await Promise.allSettled(texts);
    expect(first).toMatchObject({ value: ['x'] });
    expect(second).toMatchObject({ reason: expect.any(RedactionTooSlow) });
    expect(second).toMatchObject({ reason: { message: expect.stringContaining('took over 300 ms') } });
    expect(third).toMatchObject({ value: ['[card]'] });
  });

  it('holds the event loop shortly for a long text and many patterns', async () => {
    const many = Array.from({ length: 32 }, (_, at) => ({ ...card, name: `card${at}` }));
    const texts = ['lorem ipsum 1234 '.repeat(60_000)];
    const redactor = redactorOf(many);
    expect(await shortestHoldMs(() => redactor.redact(texts))).toBeLessThan(50);
  });

  it('works after its end, for requests that began before', async () => {
    const redactor = redactorOf([card]);
    const before = redactor.redact(['4111111111111111']);
    await redactor.close();
    expect([await before, await redactor.redact(['4111111111111111'])]).toEqual([['[card]'], ['[card]']]);
  });
});
