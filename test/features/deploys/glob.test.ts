import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { globMatches, parseGlob } from '#server/features/deploys/glob.ts';

const matches = (glob: string, path: string, stepsLeft = 1e9) => globMatches(parseGlob(glob)!, path, { stepsLeft });

describe('globMatches()', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'mainly', false],
    ['main', 'feature/main', false],
    ['release/*', 'release/1.2', true],
    ['release/*', 'release/1/2', false],
    ['release/*', 'release', false],
    ['release/**', 'release/1/2', true],
    ['release/**', 'release', true],
    ['**', 'any/thing', true],
    ['**/*.md', 'README.md', true],
    ['**/*.md', 'docs/deep/a.md', true],
    ['*.md', 'docs/a.md', false],
    ['docs/**/a.md', 'docs/a.md', true],
    ['docs/**/b/**/c', 'docs/x/b/b/y/c', true],
    ['docs/**/b/**/c', 'docs/x/y/c', false],
    ['v?.*', 'v1.2', true],
    ['v?.*', 'v12.2', false],
    ['*a*b', 'xaxxb', true],
    ['*a*b', 'xaxxbc', false],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/[id]/page.tsx', 'app/i/page.tsx', false],
    ['.github/*', '.github/x', true],
    ['*', '.env', true],
  ])('of %s and %s is %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it('returns what a regular expression does, for any globs and paths', () => {
    const part = fc.stringMatching(/^[ab*?]{1,5}$/).filter((text) => !text.includes('**'));
    const glob = fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 5 });
    const path = fc.array(fc.stringMatching(/^[ab]{1,5}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(glob, path, (parts, names) => {
        const text = parts.join('/');
        const source = `/${text}`
          .replaceAll('?', '[^/]')
          .replaceAll('/**', '§')
          .replaceAll('*', '[^/]*')
          .replaceAll('§', '(/[^/]+)*');
        expect(matches(text, names.join('/'))).toBe(new RegExp(`^${source}$`).test(`/${names.join('/')}`));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes time that grows with the product of both lengths, and no faster', () => {
    const budget = { stepsLeft: 1e9 };
    globMatches(parseGlob(`${'*a'.repeat(100)}b`)!, 'a'.repeat(4000), budget);
    globMatches(parseGlob(`${'**/a/'.repeat(40)}b`)!, 'a/'.repeat(2000) + 'c', budget);
    expect(1e9 - budget.stepsLeft).toBeLessThan(2 * 4000 * 201);
  });

  it('returns undefined once the budget is spent', () => {
    expect(matches('**/b', 'a/a/a/a', 12)).toBeUndefined();
  });
});

describe('parseGlob()', () => {
  it.each(['', '/a', 'a/', 'a//b', 'a**', '**a/b', '***', 'a\u0000', 'a\nb', '\ud83d'])('rejects %j', (text) => {
    expect(parseGlob(text)).toBeUndefined();
  });
});
