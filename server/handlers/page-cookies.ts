import { formatCookie, type Cookie } from '#server/http/cookies.ts';
import type { Call } from './call.ts';

/** A cookie that browsers send to one page only. */
export interface PageCookie {
  of(call: Pick<Call, 'browser'>): string | undefined;
  /** Returns a `Set-Cookie` header. */
  set(value: string): string;
  /** Returns the `Set-Cookie` header that removes the cookie. */
  remove(): string;
}

/** @param pageUrl address of the page, as clients see it */
export function pageCookie(
  pageUrl: string,
  name: string,
  options: Pick<Cookie, 'maxAgeSeconds' | 'comesWithLinks'> = {},
): PageCookie {
  const { pathname: path, protocol } = new URL(pageUrl);
  const common = { name, path, isSecure: protocol === 'https:', ...options };
  return {
    of: ({ browser }) => browser.cookies.get(name),
    set: (value) => formatCookie({ ...common, value }),
    remove: () => formatCookie({ ...common, value: '', maxAgeSeconds: 0 }),
  };
}
