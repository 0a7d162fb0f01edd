import type { ApiKey } from './api-key.ts';

export interface ApiKeysReader {
  /** Looks a key up by the keyed hash of its secret; revoked and expired ones are found too. */
  findByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Live and dead, oldest first. */
  listOf(accountId: string): Promise<ApiKey[]>;
}

export interface ApiKeysTable extends ApiKeysReader {
  add(key: ApiKey, hash: Uint8Array): Promise<void>;
  /** Keys of the account that are neither revoked nor expired at `now`. */
  countLive(accountId: string, now: number): Promise<number>;
  revoke(keyId: string, now: number): Promise<void>;
  noteUse(keyId: string, now: number): Promise<void>;
}
