/** Parses the cookies of a request. If a name appears twice, the first wins: browsers send the longer path first. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    const name = pair.slice(0, equals).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

export interface Cookie {
  readonly name: string;
  /** Letters, digits, `.`, `-` and `_`. */
  readonly value: string;
  /** The browser sends it only to this path and below. */
  readonly path: string;
  /** 0 deletes the cookie. Without it the cookie ends with the browser session. */
  readonly maxAgeSeconds?: number;
  /** Whether the browser sends it over https only. */
  readonly isSecure: boolean;
  /** Whether the browser sends it when a link on another site is followed. Otherwise no other site can send it. */
  readonly comesWithLinks?: boolean;
}

/** Formats a `Set-Cookie` that no script can read and no form of another site sends. @see RFC 6265 */
export function formatCookie({ name, value, path, maxAgeSeconds, isSecure, comesWithLinks = false }: Cookie): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const sameSite = comesWithLinks ? 'Lax' : 'Strict';
  return `${name}=${value}; Path=${path}${age}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}
