import { sessionLifetimeMs, sharePassMs } from '#server/domain/limits.ts';
import { formatCookie, type Cookie } from '#server/http/cookies.ts';
import type { Call } from './call.ts';

/** A cookie that browsers send to one page only. */
interface PageCookie {
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

/** Returns the cookies of the approval page. */
export function activationCookies(activationUrl: string) {
  const asSession = { maxAgeSeconds: sessionLifetimeMs / 1000 };
  return {
    /** Holds the session of the person who is signed in. */
    session: pageCookie(activationUrl, 'cubby_session', asSession),
    /** Ties the sign-in form to the browser while there is no session. */
    form: pageCookie(activationUrl, 'cubby_form'),
    /** Holds the last decision for the page that shows it. */
    decision: pageCookie(activationUrl, 'cubby_decision', asSession),
  };
}

/**
 * Returns the cookie that proves that the password of a link was given. Browsers send it even if another site leads
 * there.
 */
export function sharePassCookie(shareUrl: string): PageCookie {
  return pageCookie(shareUrl, 'cubby_share', { maxAgeSeconds: sharePassMs / 1000, comesWithLinks: true });
}
