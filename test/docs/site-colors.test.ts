import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Returns how well text is told from its ground, from 1 to 21, as WCAG 2.2 defines it. */
function contrast(...colors: readonly [text: string, ground: string]): number {
  const [dark, light] = colors
    .map((color) => {
      const [red, green, blue] = [1, 3, 5]
        .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    })
    .sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

it('every color of a sample is readable on the ground of samples, in light and in dark', async () => {
  const css = tokensByClass();
  const grounds = { light: valueOf(css, ':root', '--ground')!, dark: valueOf(css, '\\.dark', '--ground')! };
  const site = join(import.meta.dirname, '../../dist/docs');
  const shown = new Set<string>();
  for (const name of globSync('**/*.html', { cwd: site }))
    for (const [one] of (await readFile(join(site, name), 'utf8')).matchAll(/--shiki-(?:light|dark):#[\da-f]{6}/gi))
      shown.add(one.toLowerCase());
  expect(shown.size).toBeGreaterThan(10);
  for (const one of shown) {
    const [, scheme, color] = /-(light|dark):(.*)/.exec(one)! as unknown as [string, keyof typeof grounds, string];
    expect(contrast(color, grounds[scheme]), one).toBeGreaterThanOrEqual(4.5);
  }
});
