/** The parameters of a query string as they came: each name with all its values, in order. */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

/** Stands for a value that is no percent-encoded UTF-8; no pattern and no range accepts it. */
export const malformedValue = '\u0000';

/**
 * A name or value as forms and query strings encode it; `+` is a space. What is no percent-encoded UTF-8 becomes {@link
 * malformedValue}.
 */
export function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return malformedValue;
  }
}

/**
 * Reads a query string strictly: nothing is nested, merged or repaired. `+` is a space, as forms send it.
 *
 * @param url the request target, with or without a query
 */
export function parseQuery(url: string): RawQuery {
  const start = url.indexOf('?');
  const query = new Map<string, string[]>();
  if (start === -1) return query;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeFormText(pair.slice(equals + 1));
    const values = query.get(name);
    // A copy each time would take a third of a second for the thousands that an address has room for.
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}
