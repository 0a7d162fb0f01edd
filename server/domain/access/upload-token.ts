import type { EnvelopeCode } from '#generated/errors.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Duration } from '../duration.ts';
import type { Prefix } from '../prefixes.ts';

/** The options that a token fixes for its uploads. An upload may choose those that are left out. */
export interface PinnedOptions {
  readonly name?: string;
  readonly prefix?: Prefix;
  readonly isPrivate?: boolean;
  /** False only with a name. */
  readonly securityHash?: boolean;
  /** Null keeps the files, even if a rule gives them a lifetime. */
  readonly expire?: Duration | null;
  readonly maxSizeBytes?: number;
  /** Lowercase and without a dot. An entry matches a whole suffix or its last part. */
  readonly allowedExtensions?: readonly string[];
  /** Origins of pages that may use it, as browsers send them in `Origin`. */
  readonly allowedOrigins?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** Comes back in the events of its uploads. No file has it. */
  readonly callbackMetadata?: Readonly<Record<string, string>>;
}

/** A short-lived credential for uploads, stored without its secret. Instants are milliseconds since the epoch. */
export interface UploadToken {
  readonly id: string;
  readonly accountId: string;
  /** The key that minted it. The token ends with it. */
  readonly keyId: string;
  readonly pins: PinnedOptions;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When its key got another secret; null while it has the one that minted the token. */
  readonly endedAt: number | null;
  readonly maxUses: number;
  /** Uses that no upload holds or has spent. */
  readonly usesLeft: number;
}

/**
 * The purpose of a token in a request. It spends a use, continues an upload that the token began, or asks for something
 * that no token may do.
 */
export type UploadTokenUse = 'spend' | 'follow' | 'other';

/**
 * The code that rejects a token in each state. Without a code the token is authenticated. Operations that accept no
 * tokens reject it later, with their own message. "Ended" means that its key was revoked, expired or got another
 * secret.
 */
export const uploadTokenStates = {
  usable: {},
  'used up': { spend: 'UPLOAD_TOKEN_USED' },
  expired: { spend: 'ACCESS_DENIED', other: 'ACCESS_DENIED' },
  ended: { spend: 'ACCESS_DENIED', follow: 'ACCESS_DENIED', other: 'ACCESS_DENIED' },
} as const satisfies Record<string, { readonly [use in UploadTokenUse]?: EnvelopeCode }>;

export type UploadTokenState = keyof typeof uploadTokenStates;

/**
 * Returns the state of a token at `now`, given the key that minted it. A used-up token that has also ended or expired
 * counts as ended or expired.
 */
export function stateOf(
  token: Pick<UploadToken, 'expiresAt' | 'endedAt' | 'usesLeft'>,
  key: ApiKey | undefined,
  now: number,
): UploadTokenState {
  if (!key || !isLive(key, now) || token.endedAt !== null) return 'ended';
  if (token.expiresAt <= now) return 'expired';
  return token.usesLeft > 0 ? 'usable' : 'used up';
}

/** Returns the code that rejects this use in a state; undefined when the use is allowed. */
export function refusalOf(state: UploadTokenState, use: UploadTokenUse): EnvelopeCode | undefined {
  const refusals: { readonly [use in UploadTokenUse]?: EnvelopeCode } = uploadTokenStates[state];
  return refusals[use];
}
