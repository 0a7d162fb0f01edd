/**
 * A sign-in of a browser at the console, in place of a key. Its rights are those of the key. Instants are milliseconds
 * since the epoch.
 */
export interface BrowserSession {
  /** Public, for lists. It is no part of the cookie. */
  readonly id: string;
  /** Null at the operator's door. */
  readonly accountId: string | null;
  /** The API key of the sign-in, or the operator key. */
  readonly keyId: string;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number;
  /** A session is not extended by its use. */
  readonly expiresAt: number;
  /** The address of the sign-in. */
  readonly sourceIp: string;
  /** The program of the sign-in, as it described itself. */
  readonly userAgent: string | null;
}

/** The kinds of sessions. Each has its own cookie, so that one does not work in the place of the other. */
export type SessionKind = 'console' | 'operator';
