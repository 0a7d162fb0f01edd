/** The source of random ids and secrets. All are unguessable. */
export interface Ids {
  /** 18 decimal digits. The first is not 0. */
  accountId(): string;
  /** 26 lowercase base-32 characters (130 bits): names of blobs, contents, generations, keys and reservations. */
  opaqueId(): string;
  /** 16 lowercase base-32 characters (80 bits), the hash in a stored key. */
  nameHash(): string;
  /** `length` characters of A-Z, a-z and 0-9, for secrets. */
  secretText(length: number): string;
  /** `length` characters of an alphabet of up to 256, all equally likely. */
  lettersOf(alphabet: string, length: number): string;
}
