/** What is derived from the server's master key. Nothing here gives the key itself away. */
export interface Secrets {
  /** Keyed hash of a credential for storage and look-up: 32 bytes. The same text always gives the same hash. */
  credentialHash(credential: string): Uint8Array;
  /** Signs a short text that clients carry and hand back: base64url. `purpose` keeps signatures of different uses apart. */
  sign(purpose: string, text: string): string;
  /** Whether `signature` is that of `text`, compared in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
}
