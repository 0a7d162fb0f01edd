import { signal } from '@preact/signals';

const base = '/console';

/** Where the person is: the path below `/console/`, decoded, and the query. */
export interface Route {
  readonly screen: string;
  /** The decoded segments after the screen's own. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

export const route = signal<Route>({ screen: '', rest: [], query: new URLSearchParams() });

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

/** Goes to an address within the console. With `replace` the way back skips the present one. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  read();
}

function read(): void {
  route.value = parseRoute(location.pathname, location.search);
}

/** Follows links and the browser's way back without loading the page again. */
export function startRouter(): void {
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || !isOwn(link) || event.defaultPrevented) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
  read();
}

function isOwn({ origin, pathname, target, hash, download }: HTMLAnchorElement): boolean {
  const isConsole = pathname === base || pathname.startsWith(`${base}/`);
  return origin === location.origin && isConsole && target === '' && hash === '' && download === '';
}
