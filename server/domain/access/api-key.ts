import type { Prefix } from '../prefixes.ts';
import type { Scope } from './scope.ts';

/** An API key as it is kept: its secret is not part of it. Instants are milliseconds since the epoch. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Applications and databases that it is restricted to, or null. */
  readonly resources: readonly string[] | null;
  /** Prefixes that it is restricted to, or null. */
  readonly prefixes: readonly Prefix[] | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** The last four characters of the secret, so that a person can tell keys apart. */
  readonly last4: string;
  /** What its S3 key pair is made of, beside the master key; null for a key imported from before, which has no pair. */
  readonly s3Salt: string | null;
  /** By which a changed master key is noticed; null where the salt is older than the gateway. */
  readonly s3Check: string | null;
}

/** Whether the key still opens anything. */
export function isLive(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
