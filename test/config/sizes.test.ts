import { describe, expect, it } from 'vitest';

import { ConfigProblems, parseConfig } from '#server/config/config.ts';

/** Returns the problems of an environment, or none if it is valid. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
}

describe('CUBBY_MIN_FREE_BYTES', () => {
  it.each([
    ['0', 0],
    ['1048576', 1_048_576],
    ['10kB', 10_000],
    ['256MiB', 268_435_456],
    ['1 gb', 1_000_000_000],
    ['2TiB', 2_199_023_255_552],
  ])('accepts %s', (text, bytes) => {
    expect(parseConfig({ CUBBY_MIN_FREE_BYTES: text }).minFreeBytes).toBe(bytes);
  });

  it.each(['-1', '1.5GB', '1 %', 'much', '10XB', '9007199254740992', '99999999999TB'])('refuses %s', (text) => {
    expect(problemsOf({ CUBBY_MIN_FREE_BYTES: text })).toEqual([
      `CUBBY_MIN_FREE_BYTES is "${text}", but must be a size such as 256MiB, 1GB or 1048576.`,
    ]);
  });
});

describe('CUBBY_BODY_MEMORY', () => {
  it('is 128 MiB, or a size of at least 16 MiB', () => {
    expect(parseConfig({}).bodyMemoryBytes).toBe(134_217_728);
    expect(parseConfig({ CUBBY_BODY_MEMORY: '16MiB' }).bodyMemoryBytes).toBe(16_777_216);
    expect(problemsOf({ CUBBY_BODY_MEMORY: '16MB' })).toEqual([
      'CUBBY_BODY_MEMORY must be at least 16MiB, so that several large bodies fit. Got 16000000 bytes.',
    ]);
  });
});
