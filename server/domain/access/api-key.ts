import type { Prefix } from '../prefixes.ts';
import type { KeyAiLimits } from './key-ai-limits.ts';
import type { Scope } from './scope.ts';

/**
 * An API key as it is stored, without its secret. The store keeps a keyed hash of that beside it. Instants are
 * milliseconds since the epoch.
 *
 * @see server/stores/system/secrets.ts for the hash, and for the S3 key pair that `s3Salt` is part of
 */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Applications and databases that it is restricted to, or null. */
  readonly resources: readonly string[] | null;
  /** Prefixes that it is restricted to, or null. */
  readonly prefixes: readonly Prefix[] | null;
  /** Its limits in the AI gateway, or null. */
  readonly ai: KeyAiLimits | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** The last four characters of the secret, so that a person can tell keys apart. */
  readonly last4: string;
  /** The salt of its S3 key pair; null for an imported key, which has no pair. */
  readonly s3Salt: string | null;
  /** Detects another master key; null without a salt. */
  readonly s3Check: string | null;
  /** The secret of the pair, encrypted. Null unless it was derived from a former master key. */
  readonly s3Sealed: string | null;
}

/** Whether the key is neither revoked nor expired. */
export function isLive(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
