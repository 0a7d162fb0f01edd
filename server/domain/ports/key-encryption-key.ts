/** The operator's key that wraps root keys. It is never stored. */
export interface KeyEncryptionKey {
  /** Tells this key from others, and reveals nothing about it. 32 hexadecimal digits. */
  readonly id: string;
  /** Encrypts a root key. Its id is authenticated with it. */
  wrap(rootId: string, root: Uint8Array): Uint8Array;
  /** Returns the root key, or undefined if the bytes were not wrapped by this key under this id. */
  unwrap(rootId: string, wrapped: Uint8Array): Uint8Array | undefined;
}
