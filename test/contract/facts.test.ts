import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePrefix } from '#server/domain/prefixes.ts';
import { everyScope, scopes } from '#server/domain/access/scope.ts';
import { maxMetadataKeys } from '#server/domain/limits.ts';
import { isMetadata } from '#server/domain/object-metadata.ts';
import { contract } from '#test/support/contract.ts';

const { ObjectPrefix, ApiKeyScopes, Metadata, MetadataChange } = contract.components.schemas;

/** Texts at the lengths of the form, and one character off. */
function aroundLengths(lengths: readonly number[], text: (length: number) => string): string[] {
  return lengths.flatMap((length) => [length - 1, length, length + 1]).map(text);
}

/** Texts of few different characters, so that some have the form and others just do not. */
const textsOf = (characters: string) =>
  fc.array(fc.constantFrom(...characters), { maxLength: 24 }).map((parts) => parts.join(''));

/** Checks that both sides agree on many texts, and that each result occurs. */
function expectSame(texts: Iterable<string>, one: (text: string) => boolean, other: (text: string) => boolean): void {
  const answers = new Set<boolean>();
  for (const text of texts) {
    answers.add(one(text));
    expect(other(text), JSON.stringify(text)).toBe(one(text));
  }
  expect(answers.size).toBe(2);
}

describe('a fact in both contract and domain is the same in both:', () => {
  it('the form of a prefix', () => {
    const pattern = new RegExp(ObjectPrefix.pattern, 'u');
    const lengths = [
      ...aroundLengths([1, 64], (length) => 'a'.repeat(length)),
      ...aroundLengths([1, 8], (folders) => Array(folders).fill('a').join('/')),
      ...aroundLengths([256], (length) => `${'a'.repeat(63)}/`.repeat(4).slice(0, 250).padEnd(length, 'b')),
    ];
    const texts = [
      ...lengths,
      ...lengths.map((text) => `${text}/`),
      ...fc.sample(textsOf('aaaZ09_.-//\\ é\n'), 3000),
      ...fc.sample(textsOf('a/.'), 2000),
    ];
    expectSame(
      texts,
      (text) => pattern.test(text),
      (text) => parsePrefix(text) !== undefined,
    );
  });

  it('the number of scopes, and what stands for all', () => {
    const [whole, single] = ApiKeyScopes.oneOf;
    expect(whole.items.const).toBe(everyScope);
    expect(single.maxItems).toBe(scopes.length);
  });

  it('the form and the number of metadata keys', () => {
    const pattern = new RegExp(Metadata.propertyNames.pattern, 'u');
    expect(MetadataChange.propertyNames).toEqual(Metadata.propertyNames);
    const texts = [
      'cubby-',
      'cubby-a',
      'cubby',
      'a-cubby-',
      'Cubby-a',
      ...aroundLengths([1, 64], (length) => 'k'.repeat(length)),
      ...fc.sample(textsOf('az09-A_ é\n'), 3000),
    ];
    expectSame(
      texts,
      (text) => pattern.test(text),
      (text) => isMetadata({ [text]: '' }),
    );
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '']));
    expect([isMetadata(keys(maxMetadataKeys)), isMetadata(keys(maxMetadataKeys + 1)), Metadata.maxProperties]).toEqual([
      true,
      false,
      maxMetadataKeys,
    ]);
  });
});
