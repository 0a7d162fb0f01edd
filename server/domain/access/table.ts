import type { Account } from '../account/account.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyAiLimits } from './key-ai-limits.ts';

/** The keyed hash of a secret. */
export interface HashedSecret {
  readonly hash: Uint8Array;
  /** The number of the master key that it is made with. */
  readonly keyNumber: number;
}

interface ApiKeysReader {
  /** Finds a key by the keyed hash of its secret, even a revoked or expired one. */
  findByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  /** Like {@link findByHash}, with the key's account. */
  findWithAccount(hash: Uint8Array): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>;
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Returns all keys that an account ever had, oldest first. */
  listOf(accountId: string): Promise<ApiKey[]>;
  /** Returns the keys that are neither revoked nor expired at `now`, oldest first. */
  liveOf(accountId: string, now: number): Promise<ApiKey[]>;
  /** Returns keys with an S3 key pair, by id. */
  withS3After(keyId: string, limit: number): Promise<ApiKey[]>;
  /** Finds the key whose S3 key pair has this salt, even a revoked or expired one. */
  findByS3Salt(s3Salt: string): Promise<ApiKey | undefined>;
}

export interface ApiKeysTable extends ApiKeysReader {
  /** @param masterKey the number of the master key that the hash is made with. Default: the first */
  add(key: ApiKey, hash: Uint8Array, masterKey?: number): Promise<void>;
  /** Counts the account's keys that are neither revoked nor expired at `now`. */
  countLive(accountId: string, now: number): Promise<number>;
  revoke(keyId: string, now: number): Promise<void>;
  /** Replaces the secret, the S3 key pair and the end of a key. From the commit on, only the new ones find it. */
  replaceSecret(
    keyId: string,
    secret: HashedSecret & Pick<ApiKey, 'expiresAt' | 'last4' | 's3Salt' | 's3Check' | 's3Sealed'>,
  ): Promise<void>;
  /** Replaces the hash `former` of a key, and in its sessions. Changes nothing when the key has another one. */
  renewHash(keyId: string, former: Uint8Array, renewed: HashedSecret): Promise<void>;
  /** Replaces what belongs to the S3 key pair of `former`. Changes nothing when the row has changed since. */
  replaceS3Seed(former: ApiKey, seed: Pick<ApiKey, 's3Check' | 's3Sealed'>): Promise<void>;
  /** Replaces the limits of a key in the AI gateway. */
  setAiLimits(keyId: string, ai: KeyAiLimits | null): Promise<void>;
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
