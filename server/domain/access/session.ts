/**
 * A sign-in at the approval page, in a browser with the cookie `cubby_session`. It ends when the API key that the
 * person signed in with ends or gets another secret. Instants are milliseconds since the epoch.
 */
export interface Session {
  /** Keyed hash of its id. The id itself is not stored. */
  readonly hash: Uint8Array;
  /** Keyed hash of the API key that the person signed in with. */
  readonly keyHash: Uint8Array;
  readonly expiresAt: number;
  /** The number of wrong user codes that were typed in this session. */
  readonly wrongCodes: number;
}
