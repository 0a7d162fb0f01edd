import type { Account } from '../account/account.ts';
import type { UploadToken } from './upload-token.ts';
import type { BrowserSession } from '../sessions/browser-session.ts';
import type { ApiKey } from './api-key.ts';

/** The stored form of the secret that a caller sent. */
export interface SentSecret {
  readonly hash: Uint8Array;
  /** Its hash under the current master key, if it is stored under a former one. */
  readonly renewed?: { readonly hash: Uint8Array; readonly keyNumber: number } | undefined;
}

/** The sender of a request: an account, by one of its keys or by an upload token that the key minted. */
export interface Caller {
  readonly account: Account;
  /** The key that was sent, or that minted the token. */
  readonly key: ApiKey;
  /** Undefined when the key itself was sent. */
  readonly token?: UploadToken | undefined;
  /** Whether the caller is a person who signed in with the key, at the approval page or at the console. */
  readonly isSession?: boolean;
  /** The session of the console that the request belongs to. */
  readonly session?: BrowserSession;
  /** Set if the key itself was sent as text, and not a signature or a cookie. */
  readonly secret?: SentSecret;
}
