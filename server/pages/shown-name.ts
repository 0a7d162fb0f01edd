import { html, type Html } from './html.ts';

/** Longer names are set smaller. */
const longLength = 60;

/**
 * Removes control characters and direction overrides from a file name. Otherwise a name could seem to end in another
 * extension.
 *
 * @see https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
export function shownName(name: string): string {
  return name.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu, '').toWellFormed();
}

/** Removes the same from a text of several lines, and keeps its line ends. */
export function shownText(text: string): string {
  return text.split('\n').map(shownName).join('\n');
}

/** Returns the name as markup that does not affect the text direction around it. */
export function isolatedName(name: string): Html {
  const shown = shownName(name);
  return shown.length > longLength ? html`<bdi class="long">${shown}</bdi>` : html`<bdi>${shown}</bdi>`;
}
