import type { ApiKey } from './api-key.ts';

export interface ApiKeysReader {
  /** Looks a key up by the keyed hash of its secret; revoked and expired ones are found too. */
  findByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Live and dead, oldest first. */
  listOf(accountId: string): Promise<ApiKey[]>;
  /** Those that are neither revoked nor expired at `now`, oldest first. */
  liveOf(accountId: string, now: number): Promise<ApiKey[]>;
}

export interface ApiKeysTable extends ApiKeysReader {
  add(key: ApiKey, hash: Uint8Array): Promise<void>;
  /** Keys of the account that are neither revoked nor expired at `now`. */
  countLive(accountId: string, now: number): Promise<number>;
  revoke(keyId: string, now: number): Promise<void>;
  /** From the commit on the key is found by the new hash and no longer by the old one. */
  replaceSecret(keyId: string, secret: { readonly hash: Uint8Array; readonly last4: string }): Promise<void>;
  noteUse(keyId: string, now: number): Promise<void>;
}
