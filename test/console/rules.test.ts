import { expect, it } from 'vitest';

import { formOf, ruleOf } from '#console/screens/rules/rule-form.ts';
import { ruleFor, touchedBy } from '#console/screens/rules/rule-match.ts';
import { emptyToken, tokenOf } from '#console/screens/upload-tokens/token-form.ts';
import { tokenSnippet } from '#console/screens/upload-tokens/token-snippets.ts';

const nowMs = Date.parse('2026-05-01T00:00:00Z');
const file = (key: string, createdAt = '2026-04-30T00:00:00Z') => ({ key, size: 10, createdAt });

it('finds the longest prefix', () => {
  const rules = [{ prefix: 'a/' }, { prefix: 'a/b/' }, { prefix: 'c/' }];
  expect(ruleFor(rules, 'a/b/c.txt')?.prefix).toBe('a/b/');
  expect(ruleFor(rules, 'a/bc.txt')?.prefix).toBe('a/');
  expect(ruleFor(rules, 'b/c.txt')).toBeUndefined();
});

it('counts files that the rule touches, and those that a longer one keeps', () => {
  const files = [file('a/1'), file('a/b/2'), file('a/b/3'), file('a/c/4')];
  expect(touchedBy('a/', files, ['a/b/', 'z/', ''], { deleteAfterDays: undefined, nowMs })).toEqual({
    count: 2,
    bytes: 20,
    first: ['a/1', 'a/c/4'],
    others: [['a/b/', 2]],
    old: 0,
  });
});

it('counts files that are old enough 24 hours after the rule is saved', () => {
  const files = [file('a/1', '2026-04-02T00:00:00Z'), file('a/2', '2026-04-02T00:00:01Z')];
  expect(touchedBy('a/', files, [], { deleteAfterDays: 30, nowMs }).old).toBe(1);
});

it.each([
  { prefix: 'a' },
  {
    prefix: 'a/b',
    private: false,
    expire: '6h',
    cache_control: 'max-age=60',
    max_size: 1000,
    extensions: ['pdf', 'tar.gz'],
    delete_after_days: 7,
    keep_deleted_days: 30,
    keep_versions: 2,
  },
  { prefix: 'c', private: true, cache_control: 'immutable' },
])('a rule goes through its form unchanged: %j', (rule) => {
  expect(ruleOf(formOf({ ...rule, prefix: `${rule.prefix}/` }))).toEqual(rule);
});

it('pins only what was typed in an upload token', () => {
  expect(tokenOf(emptyToken)).toEqual({ expires_in: 900, max_uses: 1 });
  expect(
    tokenOf({
      ...emptyToken,
      prefix: 'avatars/',
      name: 'me',
      replaces: true,
      visibility: 'no',
      expires: 'never',
      maxSize: '5 MB',
      extensions: 'PNG',
      origins: 'https://app.example.com/',
      metadata: 'customer: acme',
      callback: 'user: 7',
      minutes: '60',
      uses: '2',
    }),
  ).toEqual({
    prefix: 'avatars',
    name: 'me',
    security_hash: false,
    private: false,
    expire: null,
    max_size: 5_242_880,
    allowed_extensions: ['png'],
    allowed_origins: ['https://app.example.com'],
    metadata: { customer: 'acme' },
    callback_metadata: { user: '7' },
    expires_in: 3600,
    max_uses: 2,
  });
});

it('has no script address in the page when the documentation is not built', () => {
  const given = { apiUrl: 'https://api.example.com/', docsUrl: null, token: 'cbup_x', options: {} };
  expect(tokenSnippet('page', given)).toContain("import 'cubby-client/element';");
  expect(tokenSnippet('page', given)).toContain('base-url="https://api.example.com"');
  expect(tokenSnippet('curl', given)).toContain("'https://api.example.com/v1/objects?name=photo'");
});
