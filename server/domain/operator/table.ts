import type { HashedSecret } from '../access/table.ts';
import type { OperatorKey } from './operator-key.ts';

interface OperatorKeysReader {
  /** Finds a key by the keyed hash of its secret, even a revoked or expired one. */
  findByHash(hash: Uint8Array): Promise<OperatorKey | undefined>;
  find(keyId: string): Promise<OperatorKey | undefined>;
  /** Returns all keys that there ever were, oldest first. */
  list(): Promise<OperatorKey[]>;
}

export interface OperatorKeysTable extends OperatorKeysReader {
  /** @param masterKey the number of the master key that the hash is made with. Default: the first */
  add(key: OperatorKey, hash: Uint8Array, masterKey?: number): Promise<void>;
  /** Replaces the hash `former` of a key. Changes nothing when the key has another one. */
  renewHash(keyId: string, former: Uint8Array, renewed: HashedSecret): Promise<void>;
  revoke(keyId: string, now: number): Promise<void>;
  noteUse(keyId: string, now: number): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly operatorKeys: OperatorKeysReader;
  }
  interface Tables {
    readonly operatorKeys: OperatorKeysTable;
  }
}
