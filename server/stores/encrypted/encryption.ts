import { makeFirstRoot } from '#server/domain/encryption/make-root.ts';
import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { EncryptedBlobs, type Encrypt } from './encrypted-blobs.ts';
import { RootKeyRing } from './root-key-ring.ts';

/** How often a server looks for root keys that another process has made. */
const refreshMs = 60_000;

interface BeginOptions {
  readonly metadata: Metadata<'rootKeys'>;
  readonly ids: Ids;
  readonly isServing: boolean;
  readonly onFault: (error: unknown) => void;
}

/** The encryption of one installation's blobs. Without a key it encrypts none, and refuses encrypted ones. */
export class Encryption {
  readonly key: KeyEncryptionKey | undefined;
  readonly encrypt: Encrypt;
  readonly #ring: RootKeyRing;
  #refreshing: NodeJS.Timeout | undefined;

  /** @param list reads the wrapped root keys, the newest first */
  constructor(key: KeyEncryptionKey | undefined, list: () => Promise<readonly WrappedRoot[]>) {
    const ring = new RootKeyRing(key, list);
    this.key = key;
    this.#ring = ring;
    this.encrypt = (store) => new EncryptedBlobs(store, ring);
  }

  /** Reads the root keys, and makes the first one. Until then, new blobs are not encrypted. */
  async begin({ metadata, ids, isServing, onFault }: BeginOptions): Promise<void> {
    if (!this.key) return;
    if ((await metadata.read.rootKeys.list()).length === 0) await makeFirstRoot({ metadata, ids }, this.key);
    await this.#ring.load();
    if (isServing) this.#refreshing = setInterval(() => void this.#ring.load().catch(onFault), refreshMs).unref();
  }

  /** Returns the same ids, with those of blobs that are encrypted. */
  idsOver(ids: Ids): Ids {
    return this.key ? { ...ids, blobId: () => this.#ring.newBlobId(ids.opaqueId()) } : ids;
  }

  end(): void {
    clearInterval(this.#refreshing);
  }
}
