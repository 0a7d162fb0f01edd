import type { Secrets } from '../ports/secrets.ts';

const purpose = 'session';

/** The value of the cookie: the session's id, a dot, and the signature. */
export function formatSessionToken(secrets: Pick<Secrets, 'sign'>, id: string): string {
  return `${id}.${secrets.sign(purpose, id)}`;
}

/**
 * The id in a cookie; `undefined` when it is forged, damaged or was signed for something else. Looks at nothing stored.
 */
export function parseSessionToken(secrets: Pick<Secrets, 'verify'>, token: string | undefined): string | undefined {
  const [, id = '', signature = ''] = /^(\w+)\.([\w-]+)$/.exec(token ?? '') ?? [];
  return secrets.verify(purpose, id, signature) ? id : undefined;
}

/** Under what a session is kept. */
export function sessionHash(secrets: Pick<Secrets, 'credentialHash'>, id: string): Uint8Array {
  return secrets.credentialHash(`session:${id}`);
}
