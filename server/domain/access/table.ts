import type { ApiKey } from './api-key.ts';

export interface ApiKeysReader {
  /** Looks a key up by the keyed hash of its secret; revoked and expired ones are found too. */
  findByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Live and dead, oldest first. */
  listOf(accountId: string): Promise<ApiKey[]>;
  /** Those that are neither revoked nor expired at `now`, oldest first. */
  liveOf(accountId: string, now: number): Promise<ApiKey[]>;
  /** The key whose S3 key pair has this salt; revoked and expired ones are found too. */
  findByS3Salt(s3Salt: string): Promise<ApiKey | undefined>;
}

export interface ApiKeysTable extends ApiKeysReader {
  add(key: ApiKey, hash: Uint8Array): Promise<void>;
  /** Keys of the account that are neither revoked nor expired at `now`. */
  countLive(accountId: string, now: number): Promise<number>;
  revoke(keyId: string, now: number): Promise<void>;
  /**
   * From the commit on the key is found by the new hash and no longer by the old one, and it has another S3 key pair.
   */
  replaceSecret(
    keyId: string,
    secret: { readonly hash: Uint8Array } & Pick<ApiKey, 'last4' | 's3Salt' | 's3Check'>,
  ): Promise<void>;
  noteUse(keyId: string, now: number): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly apiKeys: ApiKeysReader;
  }
  interface Tables {
    readonly apiKeys: ApiKeysTable;
  }
}
