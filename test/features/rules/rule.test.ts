import { describe, expect, it } from 'vitest';

import { plans } from '#server/domain/plan.ts';
import { activeFrom, beyondPlan, deletes, ruleFor, takesExtension } from '#server/features/rules/rule.ts';
import { ruleWith } from './rules.ts';

const day = 86_400_000;

describe('ruleFor()', () => {
  const rules = ['a/', 'a/b/', 'ab/', 'a/b/c/d/'].map((prefix) => ({ prefix }));

  it.each([
    ['a/x.png', 'a/'],
    ['a/b.png', 'a/'],
    ['a/bc/x.png', 'a/'],
    ['a/b/x.png', 'a/b/'],
    ['a/b/c/x.png', 'a/b/'],
    ['a/b/c/d/x.png', 'a/b/c/d/'],
    ['ab/x.png', 'ab/'],
    ['a.png', undefined],
    ['A/x.png', undefined],
    ['x/a/b/x.png', undefined],
    ['', undefined],
  ])('returns for %j the rule of %j, the longest prefix that matches', (key, prefix) => {
    expect(ruleFor(rules, key)?.prefix).toBe(prefix);
    expect(ruleFor(rules.toReversed(), key)?.prefix).toBe(prefix);
  });

  it('returns undefined without rules', () => {
    expect(ruleFor([], 'a/x.png')).toBeUndefined();
  });
});

describe('prefix rule deletion', () => {
  const rule = ruleWith({ deleteAfterDays: 30, createdAt: 1000 });

  it('rule saved; automatic deletion starts acting 24 hours later (active_from)', () => {
    expect(activeFrom(rule)).toBe(1000 + day);
    const old = -365 * day;
    expect(deletes(rule, old, 1000)).toBe(false);
    expect(deletes(rule, old, 1000 + day - 1)).toBe(false);
    expect(deletes(rule, old, 1000 + day)).toBe(true);
  });

  it('acts on a file from the millisecond at which it has the given age', () => {
    const writtenAt = 1000 + 7 * day;
    expect(deletes(rule, writtenAt, writtenAt + 30 * day - 1)).toBe(false);
    expect(deletes(rule, writtenAt, writtenAt + 30 * day)).toBe(true);
  });

  it('never acts, and has no active_from, without delete_after_days', () => {
    const keeping = ruleWith({ deleteAfterDays: null });
    expect(activeFrom(keeping)).toBeUndefined();
    expect(deletes(keeping, -1e15, 1e15)).toBe(false);
  });
});

describe('beyondPlan()', () => {
  const below = plans.filter((plan) => plan !== 'enterprise');

  it.each([
    [{ expire: { hours: 7 * 24 - 1 } }, /expire/],
    [{ expire: { hours: 1 } }, /expire/],
    [{ deleteAfterDays: 6 }, /delete_after_days/],
    [{ deleteAfterDays: 1 }, /delete_after_days/],
    [{ cacheControl: 'no-cache' }, /no-cache/],
  ])('names the option of %j that needs Enterprise, on every lower plan', (options, words) => {
    for (const plan of below) expect(beyondPlan(ruleWith(options), plan)).toMatch(words);
    expect(beyondPlan(ruleWith(options), 'enterprise')).toBeUndefined();
  });

  it.each([
    [{}],
    [{ expire: { hours: 7 * 24 } }],
    [{ deleteAfterDays: 7 }],
    [{ cacheControl: 'immutable' }],
    [{ isPrivate: true, maxSizeBytes: 512, extensions: ['pdf'] }],
  ])('allows %j on every plan', (options) => {
    for (const plan of plans) expect(beyondPlan(ruleWith(options), plan)).toBeUndefined();
  });
});

describe('takesExtension()', () => {
  it.each([
    [['pdf'], 'pdf', true],
    [['pdf'], 'png', false],
    [['gz'], 'tar.gz', true],
    [['tar.gz'], 'tar.gz', true],
    [['tar'], 'tar.gz', false],
    [['tar.gz'], 'gz', false],
    [['png', 'pdf'], 'pdf', true],
    [['df'], 'pdf', false],
    [null, 'pdf', true],
  ])('compares %j with the whole suffix %j or its last part', (extensions, extension, isTaken) => {
    expect(takesExtension({ extensions }, extension)).toBe(isTaken);
  });
});
