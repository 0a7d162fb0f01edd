import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { threadMs } from '#test/support/thread-ms.ts';
import { plainLine } from '../../console/screens/deploys/plain-line.ts';

describe('plainLine()', () => {
  it.each([
    ['\u001b[1;31mred\u001b[0m text', 'red text'],
    ['\u001b]8;;https://evil.invalid\u0007link\u001b]8;;\u001b\\', 'link'],
    ['\u009b31mred', 'red'],
    ['\u001b(Bplain\u001bc', 'plain'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['the end of a line of Windows\r', 'the end of a line of Windows'],
    ['a\tb\u0000\u0008c', 'a\tbc'],
    ['txt.\u202egnp', 'txt.gnp'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['cut off \u001b[', 'cut off '],
    ['Ção العربية 🦫', 'Ção العربية 🦫'],
  ])('%j becomes %j', (line, plain) => expect(plainLine(line)).toBe(plain));

  it('leaves no control character of any line', () => {
    fc.assert(
      // eslint-disable-next-line no-control-regex
      fc.property(
        fc.string({
          unit: fc.constantFrom('\u001b', '\u009b', '\u0007', '\r', '\u202e', '[', ']', '\\', ';', '1', 'm', 'é'),
        }),
        (line) => !/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(plainLine(line)),
      ),
    );
  });

  it('takes less than 50 ms for the longest line that begins many sequences', () => {
    const before = threadMs();
    plainLine('\u001b]'.repeat(4096));
    plainLine('\u001b[0;'.repeat(2048));
    expect(threadMs() - before).toBeLessThan(50);
  });
});
