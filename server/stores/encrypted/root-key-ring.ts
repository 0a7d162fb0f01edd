import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import { encryptedBlobId, rootIdOf } from '#server/domain/blob-id.ts';
import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';

/**
 * The root keys that this process has unwrapped. They stay in its memory, so it goes on while the key-encryption key is
 * changed.
 */
export class RootKeyRing {
  readonly #key: KeyEncryptionKey | undefined;
  readonly #list: () => Promise<readonly WrappedRoot[]>;
  readonly #roots = new Map<string, KeyObject>();
  #newestRootId: string | undefined;
  #loading: Promise<void> | undefined;

  /**
   * @param key undefined if this process has none. Then it opens no encrypted blob
   * @param list reads the wrapped root keys, the newest first
   */
  constructor(key: KeyEncryptionKey | undefined, list: () => Promise<readonly WrappedRoot[]>) {
    this.#key = key;
    this.#list = list;
  }

  /** Reads the root keys again, because other processes add some. Parallel calls share one read. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** Returns the id of a new blob: that of an encrypted one as soon as there is a root key. */
  newBlobId(plainId: string): string {
    return this.#newestRootId === undefined ? plainId : encryptedBlobId(plainId, this.#newestRootId);
  }

  /**
   * Returns the data key of an encrypted blob. If its root key is not known yet, it reads the root keys again.
   *
   * @throws {BlobStoreUnavailable} if this process cannot open its root key
   */
  async dataKey(blobId: string): Promise<KeyObject> {
    const known = this.knownDataKey(blobId);
    if (known) return known;
    if (this.#key) await this.load();
    const found = this.knownDataKey(blobId);
    if (found) return found;
    const have = this.#key ? 'does not open' : 'is missing for';
    throw new BlobStoreUnavailable(
      `The key-encryption key of this server ${have} the root key ${rootIdOf(blobId)} of the blob ${blobId}. Set ` +
        'CUBBY_KEY_ENCRYPTION_KEY to the key in use and restart it.',
      undefined,
    );
  }

  /**
   * Returns the data key of an encrypted blob whose root key is known. The root keys are random, so the second half of
   * HKDF is enough (RFC 5869, section 3.3): T(1) = HMAC-Hash(PRK, info | 0x01).
   */
  knownDataKey(blobId: string): KeyObject | undefined {
    const root = this.#roots.get(rootIdOf(blobId) ?? '');
    return root && createSecretKey(createHmac('sha256', root).update(`cubby blob ${blobId}\u0001`).digest());
  }

  async #load(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    const own = (await this.#list()).filter(({ keyId }) => keyId === key.id);
    for (const { rootId, wrapped } of own) {
      if (this.#roots.has(rootId)) continue;
      const root = key.unwrap(rootId, wrapped);
      if (root) this.#roots.set(rootId, createSecretKey(root));
    }
    this.#newestRootId = own.find(({ rootId }) => this.#roots.has(rootId))?.rootId ?? this.#newestRootId;
  }
}
