/** Where everything random comes from. All answers are unguessable. */
export interface Ids {
  /** 18 decimal digits, the first of them not 0. */
  accountId(): string;
  /** 26 lowercase base-32 characters (130 bits): names of blobs, contents, generations, keys and reservations. */
  opaqueId(): string;
  /** 16 lowercase base-32 characters (80 bits), the hash in a stored key. */
  nameHash(): string;
  /** `length` characters of A-Z, a-z and 0-9, for secrets. */
  secretText(length: number): string;
  /** `length` characters of an alphabet of up to 256, each as likely as the others. */
  lettersOf(alphabet: string, length: number): string;
}
