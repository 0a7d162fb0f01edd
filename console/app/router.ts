import { signal } from '@preact/signals';

import { base, parseRoute, type Route } from './address.ts';

export { href } from './address.ts';

export const route = signal<Route>({ screen: '', rest: [], query: new URLSearchParams() });

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
