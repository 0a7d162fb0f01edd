import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pickFormField } from '#server/http/pick-form-field.ts';

const pick = async (text: string | Buffer) =>
  (await pickFormField(Buffer.from(text as string), 'payload', 5)).toString();

describe('pickFormField()', () => {
  it.each([
    ['payload=', ''],
    ['payload', ''],
    ['payload=a%20b+c%2B%26=', 'a b c+&='],
    ['a=1&payload=%7b%7D&payloads=2&b', '{}'],
    ['payl%6fad=x', 'x'],
    ['payload=é%C3%A9', 'éé'],
  ])('reads %j', async (text, value) => {
    expect(await pick(text)).toBe(value);
  });

  it.each([
    '',
    'a=1',
    'payload=1&payload=2',
    'payload=%',
    'payload=%2',
    'payload=%zz',
    'a&b&c&d&e&payload=1',
    '&&&&&payload=1',
  ])('refuses %j', async (text) => {
    await expect(pick(text)).rejects.toMatchObject({ reason: 'not-a-form' });
  });

  it('returns a value of any length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.constantFrom(1, 50_000), async (text, times) => {
        const payload = text.toWellFormed().repeat(times);
        expect(await pick(new URLSearchParams({ first: 'é', payload, last: '&' }).toString())).toBe(payload);
      }),
      { numRuns: 30 },
    );
  });
});
