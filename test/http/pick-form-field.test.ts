import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FormFieldPicker } from '#server/http/pick-form-field.ts';

/** Reads a form in pieces of so many bytes. */
async function pick(text: string | Buffer, pieceBytes = Infinity): Promise<string> {
  const values: Buffer[] = [];
  const picker = new FormFieldPicker({
    name: 'payload',
    maxFields: 5,
    onValue: (bytes) => void values.push(Buffer.from(bytes)),
  });
  const bytes = Buffer.from(text as string);
  for (let from = 0; from < bytes.length; from += pieceBytes) picker.write(bytes.subarray(from, from + pieceBytes));
  picker.end();
  return Buffer.concat(values).toString();
}

describe('FormFieldPicker', () => {
  it.each([
    ['payload=', ''],
    ['payload', ''],
    ['payload=a%20b+c%2B%26=', 'a b c+&='],
    ['a=1&payload=%7b%7D&payloads=2&b', '{}'],
    ['payl%6fad=x', 'x'],
    ['payload=é%C3%A9', 'éé'],
  ])('reads %j', async (text, value) => {
    expect(await pick(text)).toBe(value);
    expect(await pick(text, 1)).toBe(value);
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
    await expect(pick(text, 1)).rejects.toMatchObject({ reason: 'not-a-form' });
  });

  it('returns a value of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(1, 50_000),
        fc.constantFrom(7, 65_536),
        async (text, times, pieceBytes) => {
          const payload = text.toWellFormed().repeat(times);
          expect(await pick(new URLSearchParams({ first: 'é', payload, last: '&' }).toString(), pieceBytes)).toBe(
            payload,
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});
