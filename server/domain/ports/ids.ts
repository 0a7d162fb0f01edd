/** The source of random ids and secrets. All are unguessable. */
export interface Ids {
  /** 18 decimal digits. The first is not 0. */
  accountId(): string;
  /** 26 lowercase base-32 characters (130 bits): names of keys and reservations. */
  opaqueId(): string;
  /** The name of a new blob: an opaque id, with the id of a root key if new bytes are encrypted (blob-id.ts). */
  blobId(): string;
  /**
   * 23 characters of 0-9 and a-z: 9 of the instant `now`, then 14 random ones (72 bits). Ids sort by their instant, so
   * new rows lie side by side in an index. One more character would take 8 bytes in each index of PostgreSQL. Names of
   * contents and versions.
   *
   * @see DECISIONS, "Files up to 16 KiB are rows"
   */
  orderedId(now: number): string;
  /** 16 lowercase base-32 characters (80 bits): the hash in a stored key, and the name of a generation. */
  nameHash(): string;
  /** `length` characters of A-Z, a-z and 0-9, for secrets. */
  secretText(length: number): string;
  /** `length` characters of an alphabet of up to 256, all equally likely. */
  lettersOf(alphabet: string, length: number): string;
  /** 32 bytes: a root key, from which the data keys of blobs are derived. */
  rootKey(): Uint8Array;
}
