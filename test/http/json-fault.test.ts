import { describe, expect, it } from 'vitest';

import { jsonFault } from '#server/http/json-fault.ts';

const faultIn = (text: string) => jsonFault(Buffer.from(text));

describe('jsonFault()', () => {
  it.each([
    ['{"a":1,\n "b":2,\n      }', 'unexpected `}` at line 3, column 7'],
    ['{', 'the text ends too soon, at line 1, column 2'],
    ['', 'the text ends too soon, at line 1, column 1'],
    ['{"é":1,}', 'unexpected `}` at line 1, column 8'],
    ["{'a':1}", "unexpected `'` at line 1, column 2"],
    ['[1,`2`]', "unexpected '`' at line 1, column 4"],
    ['"a\nb"', 'unexpected U+000A at line 1, column 3'],
    ['[1,\u00a02]', 'unexpected U+00A0 at line 1, column 4'],
    ['{"a":1}x', 'unexpected `x` at line 1, column 8'],
  ])('describes the fault of %j: %s', async (text, words) => {
    expect(await faultIn(text)).toBe(words);
  });

  it('finds no fault in valid JSON', async () => {
    expect(await faultIn('\ufeff{"a":[1,"x",null]}\n')).toBeUndefined();
  });

  it('does not block the event loop while it reads a megabyte', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    expect(await faultIn('[' + '1,'.repeat(500_000))).toBe('the text ends too soon, at line 1, column 1000002');
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(15);
  });
});
