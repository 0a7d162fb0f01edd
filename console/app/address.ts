/** The path of the console. */
export const base = '/console';

/** Where the person is: the path below `/console/`, decoded, and the query. */
export interface Route {
  readonly screen: string;
  /** The decoded segments after the screen's own. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** Reads an address. A segment that is not encoded well stays as it is. */
export function parseRoute(pathname: string, search: string): Route {
  const segments = pathname
    .slice(base.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  const [screen = '', ...rest] = segments;
  return { screen, rest, query: new URLSearchParams(search) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the address of a screen: `href(['files', 'public', 'a b'])` is `/console/files/public/a%20b`. */
export function href(segments: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = set.length > 0 ? `?${new URLSearchParams(set)}` : '';
  return `${base}/${segments.map(encodeURIComponent).join('/')}${search}`;
}
