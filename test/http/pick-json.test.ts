import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BodyError } from '#server/http/body-error.ts';
import { JsonPicker, type JsonLimits } from '#server/http/pick-json.ts';

const names = new Set(['ref', 'commits', 'id', '', 'é"\\']);

interface Options extends Partial<JsonLimits> {
  readonly pieceBytes?: number;
  readonly onKept?: (bytes: number) => void;
}

/** Reads a text in pieces of so many bytes. */
async function pick(text: string | Buffer, { pieceBytes = Infinity, ...options }: Options = {}): Promise<unknown> {
  const picker = new JsonPicker({ names, maxDepth: 32, maxValues: 10_000, ...options });
  const bytes = Buffer.from(text as string);
  for (let from = 0; from < bytes.length; from += pieceBytes) picker.write(bytes.subarray(from, from + pieceBytes));
  return picker.end();
}

/** Returns a value without the members that are not picked. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (names.has(name) ? [[name, pruned(inner)]] : [])),
  );
}

/** Returns the pruned result of JSON.parse, or undefined if that throws. */
function expected(text: string): unknown {
  try {
    return { value: pruned(JSON.parse(text)) };
  } catch {
    return undefined;
  }
}

const read = (text: string, pieceBytes = Infinity) =>
  pick(text, { pieceBytes }).then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!(error instanceof BodyError)) throw error;
      return undefined;
    },
  );

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names, 'other', '__proto__'), fc.string()), tie('any'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).any;

describe('JsonPicker', () => {
  it('returns the result of JSON.parse, without members that are not picked', async () => {
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(undefined, 1, '\r\n\t '), async (one, indent) => {
        const text = JSON.stringify(one, null, indent) ?? 'null';
        for (const pieceBytes of [Infinity, 1, 3]) expect(await read(text, pieceBytes)).toEqual(expected(text));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses exactly the texts that JSON.parse refuses', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"ref"',
      '"x"',
      '"\\u0072ef"',
      '"',
      '\\',
      '\\u',
      '\\u12',
      '1',
      '-',
      '0',
      '01',
      '1.',
      '.5',
      '1e',
      '1e5',
      '1E+05',
      '-0.0',
      'true',
      'tru',
      'null',
      'false',
      'NaN',
      ' ',
      '\n',
      '\u00a0',
      '\u0001',
      'é',
      "'",
      '/*',
      '\ufeff',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 7 }), fc.boolean(), async (pieces, isInside) => {
        const text = isInside ? `{"ref":${pieces.join('')}}` : pieces.join('');
        // A leading byte order mark is not part of the text.
        for (const pieceBytes of [Infinity, 1])
          expect(await read(text, pieceBytes), JSON.stringify(text)).toEqual(expected(text.replace(/^\ufeff/, '')));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['{"ref":1,"other":{"ref":2},"ref":[{"id":3,"x":[4]}]}', { ref: [{ id: 3 }] }],
    ['{"\\u0072\\u0065\\u0066":"\\ud83d\\ude00"}', { ref: '😀' }],
    ['{"other":"\\u0022}"}', {}],
    ['[true,false,null,-0,1e3]', [true, false, null, -0, 1000]],
    ['\ufeff {"ref":"é"} ', { ref: 'é' }],
    ['{"__proto__":{"ref":1}}', {}],
  ])('reads %s', async (text, value) => {
    expect(await pick(text)).toEqual(value);
  });

  it.each([
    ['an empty text', '', 'empty'],
    ['blanks', ' \n', 'empty'],
    ['an incomplete text', '{"ref":', 'malformed'],
    ['too much depth', `${'['.repeat(33)}${']'.repeat(33)}`, 'too-deep'],
    ['too much depth in a member that is not picked', `{"other":${'['.repeat(32)}${']'.repeat(32)}}`, 'too-deep'],
    ['too many values', JSON.stringify(Array.from({ length: 10_000 }, () => 1)), 'too-many'],
  ])('gives the reason for a refusal: %s', async (_, text, reason) => {
    await expect(pick(text)).rejects.toMatchObject({ reason });
  });

  it('accepts the allowed number of values, and any number of values that are not picked', async () => {
    expect(await pick(JSON.stringify(Array.from({ length: 9_999 }, () => 1)))).toHaveLength(9_999);
    expect(await pick(JSON.stringify({ other: Array.from({ length: 100_000 }, () => 1), ref: 1 }))).toEqual({ ref: 1 });
    expect(await pick(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeDefined();
  });

  it('counts what it keeps, and nothing that it skips', async () => {
    const counted = async (value: unknown) => {
      let keptBytes = 0;
      await pick(JSON.stringify(value), { pieceBytes: 100, onKept: (bytes) => void (keptBytes += bytes) });
      return keptBytes;
    };
    const empty = await counted({ ref: '' });
    expect(await counted({ ref: 'a'.repeat(1000) })).toBe(empty + 1000);
    const skipped = { other: { ref: 'a'.repeat(1000), id: [1, 2, 3] }, ['long'.repeat(1000)]: 1 };
    expect(await counted({ ref: '', ...skipped })).toBe(empty);
  });
});
