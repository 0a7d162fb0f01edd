import { weightedList } from './weighted-list.ts';

/** Whether a client asks for server-sent events, and prefers them to JSON. */
export function asksForEventStream(accept = ''): boolean {
  const stream = weightOf(accept, 'text/event-stream');
  return stream > 0 && stream >= weightOf(accept, 'application/json');
}

/**
 * Whether a client asks for a page, as browsers do: `Accept` names HTML, and gives the range of all types no higher
 * weight. That range alone does not ask for a page.
 *
 * @see RFC 9110, section 12.5.1
 */
export function asksForHtml(accept = ''): boolean {
  const html = weightOf(accept, 'text/html', 'application/xhtml+xml');
  return html > 0 && html >= weightOf(accept, '*/*');
}

/**
 * Returns the newer formats of images that a client names. A range of all types names none, because clients without
 * them send it too.
 */
export function namedImageFormats(accept = ''): Array<'avif' | 'webp'> {
  return (['avif', 'webp'] as const).filter((format) => weightOf(accept, `image/${format}`) > 0);
}

/** Returns the highest weight that `Accept` gives to one of the types; 0 if it names none. */
function weightOf(accept: string, ...types: readonly string[]): number {
  const named = weightedList(accept).filter(({ value }) => types.includes(value));
  return Math.max(0, ...named.map(({ weight }) => weight));
}
