import { describe, expect, it } from 'vitest';

import { grantsAny, isScope, scopes } from '#server/domain/access/scope.ts';

describe('isScope()', () => {
  it('knows the 18 scopes of the description, and *', () => {
    expect(scopes).toHaveLength(18);
    expect([...scopes, '*'].every(isScope)).toBe(true);
  });

  it.each(['', 'blob', 'blob:*', 'BLOB:READ', 'blob:read ', 'toString'])('does not know %j', (text) => {
    expect(isScope(text)).toBe(false);
  });
});

describe('grantsAny()', () => {
  it('grants a request if one of its scopes is there, or *', () => {
    expect(grantsAny(['blob:read'], ['blob:read', 'account:read'])).toBe(true);
    expect(grantsAny(['account:read', 'ai:chat'], ['blob:read', 'account:read'])).toBe(true);
    expect(grantsAny(['*'], ['workspaces:manage'])).toBe(true);
    expect(grantsAny(['*'], ['*'])).toBe(true);
  });

  it('grants a request without scopes to everybody', () => {
    expect(grantsAny([], [])).toBe(true);
  });

  it('does not let blob:write read, and does not take all single scopes for *', () => {
    expect(grantsAny(['blob:write'], ['blob:read'])).toBe(false);
    expect(grantsAny(scopes, ['*'])).toBe(false);
    expect(grantsAny([], ['blob:read'])).toBe(false);
  });
});
