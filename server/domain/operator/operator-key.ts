import type { SentSecret } from '../access/caller.ts';
import type { BrowserSession } from '../sessions/browser-session.ts';

/**
 * A key of the operator's door, as it is stored, without its secret. The store keeps a keyed hash of that beside it.
 * Instants are milliseconds since the epoch.
 */
export interface OperatorKey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** The last four characters of the secret, so that a person can tell keys apart. */
  readonly last4: string;
}

/** The sender of a request at the operator's door. */
export interface OperatorCaller {
  readonly operatorKey: OperatorKey;
  /** Set if the key itself was sent. */
  readonly secret?: SentSecret;
  /** The session that the request belongs to. */
  readonly session?: BrowserSession;
}

type OperatorKeyState = 'live' | 'expired' | 'revoked';

/** Returns whether a key works at `now`, and why not. */
export function stateOf({ revokedAt, expiresAt }: OperatorKey, now: number): OperatorKeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt === null || expiresAt > now ? 'live' : 'expired';
}
