import { describe, expect, it } from 'vitest';

import { contract } from '#test/support/contract.ts';
import { Random } from '../random.ts';
import { sampleOf } from './patterns.ts';

/** All patterns of the contract's requests. */
function patterns(): string[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref, pattern } = node as { $ref?: string; pattern?: unknown };
    if (typeof pattern === 'string') found.add(pattern);
    if ($ref)
      walk(
        $ref
          .slice(2)
          .split('/')
          .reduce<any>((at, step) => at[step], contract),
      );
    for (const [name, inner] of Object.entries(node)) if (name !== 'responses' && name !== 'example') walk(inner);
  };
  for (const item of Object.values(contract.paths)) walk(item);
  return [...found];
}

describe('sampleOf()', () => {
  it.each(patterns())('matches %s', (pattern) => {
    const random = new Random(1);
    for (const length of [1, 5, 20, 64, 128, 256])
      for (let time = 0; time < 50; time++) expect(sampleOf(pattern, random, length)).toMatch(new RegExp(pattern, 'u'));
  });
});
