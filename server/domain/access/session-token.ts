import type { Secrets } from '../ports/secrets.ts';

const purpose = 'session';

/** Makes the value of the cookie: the session's id, a dot and the signature. */
export function formatSessionToken(secrets: Pick<Secrets, 'sign'>, id: string): string {
  return `${id}.${secrets.sign(purpose, id)}`;
}

/** Reads the id in a cookie, without a look-up. Returns undefined for any other text. */
export function parseSessionToken(secrets: Pick<Secrets, 'verify'>, token: string | undefined): string | undefined {
  const [, id = '', signature = ''] = /^(\w+)\.([\w-]+)$/.exec(token ?? '') ?? [];
  return secrets.verify(purpose, id, signature) ? id : undefined;
}

/** Returns the text under whose keyed hash a session is stored. It differs from that of all other credentials. */
export function sessionCredential(id: string): string {
  return `session:${id}`;
}
