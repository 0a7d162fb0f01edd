/** The cost of one hash. @see RFC 7914, section 2 */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Hashes a text with scrypt in another thread, which takes some tenths of a second. Returns 32 bytes. */
export type Scrypt = (text: string, salt: Uint8Array, cost: ScryptCost) => Promise<Uint8Array>;
