import type { Secrets } from '../ports/secrets.ts';
import type { SessionKind } from './browser-session.ts';

/** Makes the value of the cookie: the secret of the session, a dot and its signature. */
export function formatBrowserToken(secrets: Pick<Secrets, 'sign'>, kind: SessionKind, secret: string): string {
  return `${secret}.${secrets.sign(`${kind}-session`, secret)}`;
}

/** Reads the secret in a cookie, without a look-up. Returns undefined for any other text. */
export function parseBrowserToken(
  secrets: Pick<Secrets, 'verify'>,
  kind: SessionKind,
  token: string | undefined,
): string | undefined {
  const [, secret = '', signature = ''] = /^([A-Za-z0-9]{1,64})\.([\w-]{1,100})$/.exec(token ?? '') ?? [];
  return secrets.verify(`${kind}-session`, secret, signature) ? secret : undefined;
}

/** Returns the text under whose keyed hash a session is stored. It differs from that of all other credentials. */
export function browserCredential(kind: SessionKind, secret: string): string {
  return `${kind}-session:${secret}`;
}

/** Returns the token that shows that a request comes from the page of a session. */
export function csrfTokenOf(secrets: Pick<Secrets, 'sign'>, kind: SessionKind, secret: string): string {
  return secrets.sign(`${kind}-csrf`, secret);
}

/** Whether a token is that of the session. Compares in constant time. */
export function isCsrfTokenOf(
  secrets: Pick<Secrets, 'verify'>,
  kind: SessionKind,
  secret: string,
  token: string | undefined,
): boolean {
  return token !== undefined && secrets.verify(`${kind}-csrf`, secret, token);
}
