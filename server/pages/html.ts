/** Text that is already markup. Anything else is escaped when it is put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

/**
 * Builds markup from a template. Values are escaped for text and for quoted attributes, unless this function made them.
 * `undefined` becomes an empty string.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((out, piece, at) => out + piece + (at < parts.length ? markupOf(parts[at]) : ''), ''));
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
