/** What is derived from the server's master key. Nothing here gives the key itself away. */
export interface Secrets {
  /** Keyed hash of a credential for storage and look-up: 32 bytes. The same text always gives the same hash. */
  credentialHash(credential: string): Uint8Array;
  /**
   * Signs a short text that clients carry and hand back: base64url. `purpose` keeps signatures of different uses apart.
   */
  sign(purpose: string, text: string): string;
  /** Whether `signature` is that of `text`, compared in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
  /**
   * Encrypts a text that is stored and read again. What is sealed for one purpose, or bound to one thing (an id),
   * cannot be read for another; the same text is sealed differently each time.
   */
  seal(purpose: string, text: string, boundTo: string): string;
  /** The text that was sealed so; undefined when it was not, which it was not under another master key either. */
  unseal(purpose: string, sealed: string, boundTo: string): string | undefined;
}
