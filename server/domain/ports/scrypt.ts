/** What one hash costs. @see RFC 7914, section 2 */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Hashes a text with scrypt, some tenths of a second long, beside whatever else the process does; answers 32 bytes. */
export type Scrypt = (text: string, salt: Uint8Array, cost: ScryptCost) => Promise<Uint8Array>;
