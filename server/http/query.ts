/** The parameters of a query string or a form: each name with all its values, in order. */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

/** Replaces a value that is not percent-encoded UTF-8. No pattern and no range accepts it. */
export const malformedValue = '\u0000';

/**
 * Decodes a name or value of a form or a query string. `+` is a space. Returns {@link malformedValue} for text that is
 * not percent-encoded UTF-8.
 */
export function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return malformedValue;
  }
}

/**
 * Parses a query string strictly: it nests, merges and repairs nothing.
 *
 * @param url the request target, with or without a query
 */
export function parseQuery(url: string): RawQuery {
  const start = url.indexOf('?');
  return parsePairs(start === -1 ? [] : url.slice(start + 1).split('&'));
}

/** Parses the `name=value` pairs of a query string or a form. */
export function parsePairs(pairs: readonly string[]): RawQuery {
  const query = new Map<string, string[]>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeFormText(pair.slice(equals + 1));
    const values = query.get(name);
    // Copying the array each time would take a third of a second for the thousands of values that fit in a URL.
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}
