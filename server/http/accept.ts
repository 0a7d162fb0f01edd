import { weightedList } from './weighted-list.ts';

/** Whether a client asks for server-sent events, and prefers them to JSON. */
export function asksForEventStream(accept = ''): boolean {
  const ranges = weightedList(accept);
  const weightOf = (type: string) =>
    Math.max(0, ...ranges.filter(({ value }) => value === type).map((one) => one.weight));
  const stream = weightOf('text/event-stream');
  return stream > 0 && stream >= weightOf('application/json');
}

/**
 * Whether a client asks for a page, as browsers do: `Accept` names HTML, and gives the range of all types no higher
 * weight. That range alone does not ask for a page.
 *
 * @see RFC 9110, section 12.5.1
 */
export function asksForHtml(accept = ''): boolean {
  const ranges = weightedList(accept);
  const weightOf = (...types: readonly string[]) =>
    Math.max(0, ...ranges.filter(({ value }) => types.includes(value)).map(({ weight }) => weight));
  const html = weightOf('text/html', 'application/xhtml+xml');
  return html > 0 && html >= weightOf('*/*');
}

/**
 * Returns the newer formats of images that a client names. A range of all types names none, because clients without
 * them send it too.
 */
export function namedImageFormats(accept = ''): Array<'avif' | 'webp'> {
  const ranges = weightedList(accept);
  return (['avif', 'webp'] as const).filter((format) =>
    ranges.some(({ value, weight }) => value === `image/${format}` && weight > 0),
  );
}
