import { UploadError } from './upload-error.ts';

/**
 * An API key or upload token, or a function that returns one. The function is called before the first request. It is
 * called again when its credential is refused, with that one as `refused`. An error that it throws becomes
 * NO_CREDENTIAL, unless it is an UploadError.
 */
export type Credential = string | ((refused?: string) => string | Promise<string>) | SessionCredential;

/**
 * The session of a page on the API's own host, which signed in with `startSession`. The browser sends the session's
 * cookie.
 */
export interface SessionCredential {
  /** The `csrf_token` of the session. */
  readonly csrfToken: string;
}

/** Gives all requests of an upload the same credential. */
export interface Credentials {
  readonly canRenew: boolean;
  /** The header that carries the credential. */
  readonly header: 'Authorization' | 'X-Cubby-CSRF';
  current(): Promise<string>;
  /**
   * Returns another credential in place of a refused one, or the same one if there is no other.
   *
   * @throws {UploadError} NO_CREDENTIAL
   */
  renew(refused: string): Promise<string>;
}

export function credentialsFrom(credential: Credential): Credentials {
  if (typeof credential === 'string') return fixed(credential, 'Authorization');
  if (typeof credential === 'object') return fixed(credential.csrfToken, 'X-Cubby-CSRF');
  const ask = async (refused?: string): Promise<string> => {
    try {
      return await credential(refused);
    } catch (cause) {
      if (cause instanceof UploadError) throw cause;
      const message =
        'The page could not get a credential for the upload. Reload the page or sign in again, then try once more.';
      throw new UploadError({ code: 'NO_CREDENTIAL', message, retryable: true, cause });
    }
  };
  let latest: Promise<string> | undefined;
  const remember = (requested: Promise<string>): Promise<string> => {
    latest = requested;
    requested.catch(() => void (latest === requested && (latest = undefined)));
    return requested;
  };
  return {
    canRenew: true,
    header: 'Authorization',
    current: () => latest ?? remember(ask()),
    async renew(refused) {
      // Six parts can be refused at once. One new credential is enough for all of them.
      const earlier = latest;
      const known = await earlier;
      if (known !== refused && known !== undefined) return known;
      return latest === earlier ? remember(ask(refused)) : latest!;
    },
  };
}

function fixed(credential: string, header: Credentials['header']): Credentials {
  return { canRenew: false, header, current: async () => credential, renew: async () => credential };
}

/**
 * Returns whether this is an upload token. Only the token that opened an upload can access it, so it is kept for
 * resuming. Leaking it risks far less than a key.
 */
export function isUploadToken(credential: string): boolean {
  return credential.startsWith('cbup_');
}
