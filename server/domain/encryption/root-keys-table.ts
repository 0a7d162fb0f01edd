/**
 * A root key, wrapped by one key-encryption key. While the operator changes that key, each root key is wrapped by the
 * old and the new one.
 */
export interface WrappedRoot {
  /** 6 letters, at the end of the ids of the blobs that are encrypted with it. */
  readonly rootId: string;
  /** The id of the key-encryption key. */
  readonly keyId: string;
  readonly wrapped: Uint8Array;
  /** When the root key was made, in milliseconds since 1970. New blobs use the newest. */
  readonly madeAt: number;
}

interface RootKeysReader {
  /** Returns all of them, the newest root keys first. They are few. */
  list(): Promise<WrappedRoot[]>;
}

export interface RootKeysTable extends RootKeysReader {
  add(root: WrappedRoot): Promise<void>;
  /** Removes what other key-encryption keys have wrapped. Returns how many there were. */
  removeOthers(keyId: string): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly rootKeys: RootKeysReader;
  }
  interface Tables {
    readonly rootKeys: RootKeysTable;
  }
}
