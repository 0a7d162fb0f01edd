import type { Account } from '../account/account.ts';
import type { UploadToken } from './upload-token.ts';
import type { ApiKey } from './api-key.ts';

/** Who sends a request: an account, through one of its keys or through an upload token that the key minted. */
export interface Caller {
  readonly account: Account;
  /** The key that was sent, or that minted the token. */
  readonly key: ApiKey;
  /** Left out when the key itself was sent. */
  readonly token?: UploadToken | undefined;
  /** Whether it was neither: somebody is signed in at the approval page with the key. */
  readonly isSession?: boolean;
}
