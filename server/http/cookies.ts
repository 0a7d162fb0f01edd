/**
 * The cookies of a request by name. Of a name given twice the first counts: the browser sends that of the longer path
 * first.
 */
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
  /** The path to which alone the browser sends it. */
  readonly path: string;
  /** 0 takes it back; left out, it goes with the browser. */
  readonly maxAgeSeconds?: number;
  /** Whether it travels over https alone. */
  readonly isSecure: boolean;
  /** Whether it comes along when a link on another site is followed; otherwise nothing of another site brings it. */
  readonly comesWithLinks?: boolean;
}

/** A `Set-Cookie` that no script reads and no form or page of another site sends along. @see RFC 6265 */
export function formatCookie({ name, value, path, maxAgeSeconds, isSecure, comesWithLinks = false }: Cookie): string {
  const age = maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`];
  return [
    `${name}=${value}`,
    `Path=${path}`,
    ...age,
    'HttpOnly',
    `SameSite=${comesWithLinks ? 'Lax' : 'Strict'}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
