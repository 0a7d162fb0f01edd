import { readFileSync } from 'node:fs';

/** The colors of the share pages and the console, which follow the system. */
export const tokens = readFileSync(new URL('../../server/pages/tokens.css', import.meta.url), 'utf8');

/**
 * Returns the colors with the dark ones behind the class that the generator of the site sets. A reader chooses it
 * whatever the system has.
 *
 * @param css `server/pages/tokens.css`: one block of `:root`, and one of the dark theme within a media query
 * @throws if it no longer has this form
 */
export function tokensByClass(css: string = tokens): string {
  const dark = /@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;
  if (!dark.test(css)) throw new Error('server/pages/tokens.css has no block of dark colors in the known form.');
  return css.replace(/^\s*color-scheme: light dark;\n/m, '').replace(dark, '.dark {$1}');
}
