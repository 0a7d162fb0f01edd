import { describe, expect, it } from 'vitest';

import { accountRequestsPerMinute, isAtLeast, plans, quotaBytesOf } from '#server/domain/plan.ts';

const gib = 2 ** 30;

describe('isAtLeast()', () => {
  it('orders the plans', () => {
    for (const [a, plan] of plans.entries())
      for (const [b, minimum] of plans.entries()) expect(isAtLeast(plan, minimum), `${plan} ≥ ${minimum}`).toBe(a >= b);
  });
});

describe('quotaBytesOf()', () => {
  it.each([
    ['none', 0],
    ['hobby', 10],
    ['standard', 60],
    ['pro', 400],
    ['enterprise', 500],
  ] as const)('is twice the included storage of %s', (plan, gibibytes) => {
    expect(quotaBytesOf({ plan, quotaBytes: null })).toBe(gibibytes * gib);
  });

  it('is the quota that the operator set, even 0', () => {
    expect(quotaBytesOf({ plan: 'pro', quotaBytes: 5 })).toBe(5);
    expect(quotaBytesOf({ plan: 'pro', quotaBytes: 0 })).toBe(0);
  });
});

describe('accountRequestsPerMinute', () => {
  it('grows with the plan', () => {
    expect(accountRequestsPerMinute).toEqual({ none: 5, hobby: 120, standard: 300, pro: 600, enterprise: 1200 });
  });
});
