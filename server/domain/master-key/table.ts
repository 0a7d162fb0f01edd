import type { ApiKey } from '../access/api-key.ts';
import type { MasterKeyRotation } from './rotation.ts';

/** A key whose secret is still hashed under a former master key. */
export type FormerKey = Pick<ApiKey, 'id' | 'accountId' | 'name' | 'lastUsedAt' | 'last4'>;

interface MasterKeysReader {
  /** Returns the last rotation; undefined before the first. */
  lastRotation(): Promise<MasterKeyRotation | undefined>;
  /** Returns the check value of the key in force. */
  check(): Promise<string>;
  /** Returns up to `limit` live API keys whose hash is under an older key than `number`, the last used ones first. */
  formerApiKeys(number: number, now: number, limit: number): Promise<FormerKey[]>;
  /** Counts live API keys and operator keys whose hash is under an older key than `number`. */
  countFormer(number: number, now: number): Promise<{ readonly apiKeys: number; readonly operatorKeys: number }>;
}

export interface MasterKeysTable extends MasterKeysReader {
  /** Adds a rotation, or replaces the one with its number. */
  put(rotation: MasterKeyRotation): Promise<void>;
  replaceCheck(check: string): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly masterKeys: MasterKeysReader;
  }
  interface Tables {
    readonly masterKeys: MasterKeysTable;
  }
}
