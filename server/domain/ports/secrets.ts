/** Operations with one master key. None of them reveals the key. */
export interface KeySecrets {
  /** Counts the master keys of the installation: 1 for the first, and one more for each further one. */
  readonly keyNumber: number;
  /** Returns the keyed hash of a credential for storage and look-up: 32 bytes, always the same for the same text. */
  credentialHash(credential: string): Uint8Array;
  /**
   * Signs a short text that clients send back later. Returns base64url. A signature is valid only for its `purpose`.
   */
  sign(purpose: string, text: string): string;
  /** Whether `signature` is that of `text`. Compares in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
  /** Signs bytes with the Ed25519 key of a purpose, which is always the same. */
  signAsymmetric(purpose: string, content: Uint8Array): Uint8Array;
  /** Returns the public key of a purpose: 32 bytes. */
  publicKey(purpose: string): Uint8Array;
  /**
   * Encrypts a text for storage. It can be read only for the same purpose and the same `boundTo`, such as an id. The
   * result differs each time.
   */
  seal(purpose: string, text: string, boundTo: string): string;
  /**
   * Returns the text that was sealed for the same purpose and `boundTo`. Undefined for any other text, or one that was
   * sealed under another master key.
   */
  unseal(purpose: string, sealed: string, boundTo: string): string | undefined;
}

/**
 * Operations with the server's master key. While it is rotated, a further key is valid too: `verify` and `unseal` take
 * both. Everything new is made with the current one.
 */
export interface Secrets extends KeySecrets {
  /**
   * Returns the keys under which stored hashes are looked up, the current one first. Outside of a rotation it is the
   * only one.
   */
  finders(): readonly KeySecrets[];
  /** Returns the keys whose signatures are valid, the current one first. Mostly it is the only one. */
  signers(): readonly KeySecrets[];
}
