import { expect, it } from 'vitest';

import { tokens, tokensByClass } from '#openapi/build/theme-tokens.ts';

const valueOf = (css: string, selector: string, name: string) =>
  new RegExp(`${selector} \\{[^}]*${name}: ([^;]+);`).exec(css)?.[1];

it('the documentation has the colors of the share pages, with the dark ones behind the class of its generator', () => {
  const css = tokensByClass();
  for (const name of ['--ground', '--sheet', '--ink', '--icon', '--hair']) {
    expect(valueOf(css, ':root', name)).toBe(valueOf(tokens, ':root', name));
    expect(valueOf(css, '\\.dark', name)).toBe(valueOf(tokens, '  :root', name));
  }
  expect(css).not.toContain('@media');
});

it('a changed form of the colors is an error, not a lost theme', () => {
  expect(() => tokensByClass(':root { --ground: white }')).toThrow('tokens.css');
});
