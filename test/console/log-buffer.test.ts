import { describe, expect, it } from 'vitest';

import { LogBuffer } from '../../console/screens/deploys/log-buffer.ts';

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at}`);

describe('LogBuffer', () => {
  it('keeps all lines in their order, over parts that no longer change when they are full', () => {
    const buffer = new LogBuffer();
    buffer.add(numbered(0, 250));
    const [first] = buffer.parts;
    buffer.add(numbered(250, 500));
    expect(buffer.parts[0]).toBe(first);
    expect(buffer.parts.map(({ text }) => text).join('\n')).toBe(numbered(0, 500).join('\n'));
    expect([buffer.lines, buffer.dropped]).toEqual([500, 0]);
  });

  it('drops the oldest lines and counts them', () => {
    const buffer = new LogBuffer(1000);
    for (let at = 0; at < 50_000; at += 100) buffer.add(numbered(at, at + 100));
    expect(buffer.lines).toBeLessThanOrEqual(1000);
    expect(buffer.lines).toBeGreaterThan(700);
    expect(buffer.lines + buffer.dropped).toBe(50_000);
    expect(buffer.parts.at(-1)!.text.endsWith('line 49999')).toBe(true);
    expect(new Set(buffer.parts.map(({ id }) => id)).size).toBe(buffer.parts.length);
  });
});
