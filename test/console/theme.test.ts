import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { withChosenTheme } from '#console/build/theme.ts';

it('the dark colors of the share pages hold for a chosen dark theme too', () => {
  const css = withChosenTheme(readFileSync(new URL('../../server/pages/tokens.css', import.meta.url), 'utf8'));
  const [, dark] = /:root\[data-theme=dark\] \{([^}]*)\}/.exec(css)!;
  expect(dark).toContain('--ground: #12171a');
  expect(css).toContain(':root:not([data-theme=light])');
});

it('a changed form of the tokens is an error, not a lost theme', () => {
  expect(() => withChosenTheme(':root { --ground: white }')).toThrow('tokens.css');
});
