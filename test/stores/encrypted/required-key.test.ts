import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { keyEncryptionKey } from '#server/stores/encrypted/key-encryption-key.ts';
import { problemsOfKey, requireKey } from '#server/stores/encrypted/required-key.ts';

it('requireKey() and problemsOfKey() want the key that opens every root key', () => {
  const [key, other] = [keyEncryptionKey('a'.repeat(43)), keyEncryptionKey('b'.repeat(43))];
  const wrapped = (by: typeof key, rootId: string) =>
    ({ rootId, keyId: by.id, wrapped: by.wrap(rootId, randomBytes(32)) }) as never;
  const roots = [wrapped(key, 'r1'), wrapped(key, 'r2')];
  for (const [held, given, problem] of [
    [[], undefined, undefined],
    [roots, key, undefined],
    [roots, undefined, 'there is no key-encryption key'],
    [roots, other, 'another key-encryption key'],
    [[...roots, wrapped(other, 'r3')], key, 'another key-encryption key'],
  ] as const) {
    if (problem === undefined) requireKey(held, given, 'x');
    else expect(() => requireKey(held, given, 'x')).toThrow(problem);
    expect(problemsOfKey(held, given, 'x')).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  }
});
