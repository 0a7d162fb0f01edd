import type { Account } from '../account/account.ts';
import type { ApiKey } from './api-key.ts';

/** Who sends a request: an account, through one of its keys. */
export interface Caller {
  readonly account: Account;
  readonly key: ApiKey;
}
