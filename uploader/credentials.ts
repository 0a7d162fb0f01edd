import { UploadError } from './upload-error.ts';

/**
 * An API key or upload token, or a function that gives one. The function is asked before the first request, and again when
 * what it gave is refused: `refused` is that one then. What it throws becomes NO_CREDENTIAL, unless it is an UploadError already.
 */
export type Credential = string | ((refused?: string) => string | Promise<string>);

/** Hands out one credential to all requests of an upload. */
export interface Credentials {
  readonly canRenew: boolean;
  current(): Promise<string>;
  /**
   * Another one in the place of one that was refused; the same when there is none.
   *
   * @throws {UploadError} NO_CREDENTIAL
   */
  renew(refused: string): Promise<string>;
}

export function credentialsFrom(credential: Credential): Credentials {
  if (typeof credential === 'string') return fixed(credential);
  const ask = async (refused?: string): Promise<string> => {
    try {
      return await credential(refused);
    } catch (cause) {
      if (cause instanceof UploadError) throw cause;
      const message = 'No permission to upload could be had. Reload the page or sign in again, then try once more.';
      throw new UploadError({ code: 'NO_CREDENTIAL', message, retryable: true, cause });
    }
  };
  let latest: Promise<string> | undefined;
  const remember = (asked: Promise<string>): Promise<string> => {
    latest = asked;
    asked.catch(() => void (latest === asked && (latest = undefined)));
    return asked;
  };
  return {
    canRenew: true,
    current: () => latest ?? remember(ask()),
    async renew(refused) {
      // Six parts are refused together, and one new credential is enough for all of them.
      const held = latest;
      const known = await held;
      if (known !== refused && known !== undefined) return known;
      return latest === held ? remember(ask(refused)) : latest!;
    },
  };
}

function fixed(credential: string): Credentials {
  return { canRenew: false, current: async () => credential, renew: async () => credential };
}

/** Whether it is an upload token: of little worth beside a key, and the only one that reaches the uploads it opened. */
export function isUploadToken(credential: string): boolean {
  return credential.startsWith('cbup_');
}
