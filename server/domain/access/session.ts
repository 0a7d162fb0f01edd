/**
 * That somebody is signed in at the approval page, in a browser that holds the cookie `cubby_session`: the only session
 * there is. It lives as long as the API key that was given, under the same secret. Instants are milliseconds since the
 * epoch.
 */
export interface Session {
  /** Keyed hash of its id; the id itself is kept nowhere. */
  readonly hash: Uint8Array;
  /** Keyed hash of the API key that was given. */
  readonly keyHash: Uint8Array;
  readonly expiresAt: number;
  /** Codes typed in it under which no request waited. */
  readonly wrongCodes: number;
}
