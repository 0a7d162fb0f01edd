import { describe, expect, it } from 'vitest';

import { randomIds } from '#server/stores/system/ids.ts';

const many = <T>(make: () => T): T[] => Array.from({ length: 5000 }, make);

describe('randomIds', () => {
  it.each([
    ['accountId', randomIds.accountId, /^[1-9][0-9]{17}$/],
    ['opaqueId', randomIds.opaqueId, /^[a-z2-7]{26}$/],
    ['orderedId', () => randomIds.orderedId(1_764_000_000_000), /^[a-z0-9]{23}$/],
    ['nameHash', randomIds.nameHash, /^[a-z2-7]{16}$/],
    ['secretText', () => randomIds.secretText(40), /^[0-9A-Za-z]{40}$/],
  ])('%s() has its form, and never repeats', (_name, make, form) => {
    const made = many(make);
    for (const one of made) expect(one).toMatch(form);
    expect(new Set(made).size).toBe(made.length);
  });

  it.each([
    ['opaqueId', () => randomIds.opaqueId(), 32],
    ['orderedId behind its instant', () => randomIds.orderedId(1_764_000_000_000).slice(9), 36],
    ['secretText', () => randomIds.secretText(26), 62],
    ['lettersOf', () => randomIds.lettersOf('BCDFGHJKLMNPQRSTVWXZ', 8), 20],
    ['accountId behind its first digit', () => randomIds.accountId().slice(1), 10],
  ])('%s has an even distribution of characters', (_name, make, alphabet) => {
    const counts = new Map<string, number>();
    for (const character of many(make).join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
    const total = [...counts.values()].reduce((sum, count) => sum + count);
    expect(counts.size).toBe(alphabet);
    // More than six standard deviations away, so it fails by chance in less than one of 10^7 runs.
    const spread = 6.5 * Math.sqrt(total / alphabet);
    for (const [character, count] of counts) expect(Math.abs(count - total / alphabet), character).toBeLessThan(spread);
  });

  it('orderedId() sorts by the instant, also beside one that is 500 years later', () => {
    const instants = [0, 1, 31, 32, 35, 36, 1_763_999_999_999, 1_764_000_000_000, 17_540_000_000_000];
    const ids = instants.map((instant) => randomIds.orderedId(instant));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('secretText() has the requested length', () => {
    expect(randomIds.secretText(0)).toBe('');
    expect(randomIds.secretText(7)).toHaveLength(7);
  });
});
