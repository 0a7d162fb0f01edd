import { rememberedSessionMs } from '#server/domain/limits.ts';
import type { SessionKind } from '#server/domain/sessions/browser-session.ts';
import { formatCookie } from '#server/http/cookies.ts';

/**
 * The cookies of the console. Browsers accept a name that begins with `__Host-` only from the host itself, with
 * `Secure` and for all paths. So a page of a neighbouring host cannot set one.
 */
export const sessionCookieNames: Readonly<Record<SessionKind, string>> = {
  console: '__Host-cubby_console',
  operator: '__Host-cubby_operator',
};

const common = { path: '/', isSecure: true };

/** Returns the `Set-Cookie` header of a session. It ends with the browser, or after 30 days. */
export function sessionCookie(kind: SessionKind, token: string, isRemembered = false): string {
  const name = sessionCookieNames[kind];
  return formatCookie({
    ...common,
    name,
    value: token,
    ...(isRemembered && { maxAgeSeconds: rememberedSessionMs / 1000 }),
  });
}

/** Returns the `Set-Cookie` header that removes the cookie of a session. */
export function removedSessionCookie(kind: SessionKind): string {
  return formatCookie({ ...common, name: sessionCookieNames[kind], value: '', maxAgeSeconds: 0 });
}

/**
 * Whether browsers keep a `Secure` cookie of an address: https, and the machine itself.
 *
 * @see https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
 */
export function keepsSecureCookies(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
