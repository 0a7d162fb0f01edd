import { html, type Html } from './html.ts';

/** From here on a name is set smaller. */
const longLength = 60;

/**
 * A file's name as it is shown: without control characters, and without the characters that turn the direction of text
 * around, which would let `exe.jpg` end in something else than it seems.
 *
 * @see https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
export function shownName(name: string): string {
  return name.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu, '').toWellFormed();
}

/** The name for the text of a page: whatever its direction is, what stands around keeps its own. */
export function isolatedName(name: string): Html {
  const shown = shownName(name);
  return shown.length > longLength ? html`<bdi class="long">${shown}</bdi>` : html`<bdi>${shown}</bdi>`;
}
