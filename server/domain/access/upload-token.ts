import type { EnvelopeCode } from '#generated/errors.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Duration } from '../duration.ts';
import type { Prefix } from '../prefixes.ts';

/** What whoever minted a token has settled for its uploads; what is left out is up to the upload. */
export interface UploadPins {
  readonly name?: string;
  readonly prefix?: Prefix;
  readonly isPrivate?: boolean;
  /** False only beside a name. */
  readonly securityHash?: boolean;
  /** Null keeps the files for good, whatever a rule says. */
  readonly expire?: Duration | null;
  readonly maxSizeBytes?: number;
  /** Lowercase and without a dot; an entry fits a whole suffix or its last part. */
  readonly allowedExtensions?: readonly string[];
  /** Pages from which it may be used, as browsers send them in `Origin`. */
  readonly allowedOrigins?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * A short-lived credential for uploads, as it is kept: its secret is not part of it. Instants are milliseconds since
 * the epoch.
 */
export interface UploadToken {
  readonly id: string;
  readonly accountId: string;
  /** The key that minted it; with it the token ends. */
  readonly keyId: string;
  readonly pins: UploadPins;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When its key got another secret; null as long as it has the one that minted the token. */
  readonly endedAt: number | null;
  readonly maxUses: number;
  /** Uses that no upload has taken. */
  readonly usesLeft: number;
}

/**
 * What a request wants of a token: an upload of its own, something of an upload that the token opened, or what no token
 * may.
 */
export type UploadTokenUse = 'spend' | 'follow' | 'other';

/**
 * What a token is refused with in each of its states; where nothing stands it is let in, and what takes no tokens
 * refuses it later and in words of its own. "Ended" is what follows its key, after which the token is nobody.
 */
export const uploadTokenStates = {
  usable: {},
  'used up': { spend: 'UPLOAD_TOKEN_USED' },
  expired: { spend: 'ACCESS_DENIED', other: 'ACCESS_DENIED' },
  ended: { spend: 'ACCESS_DENIED', follow: 'ACCESS_DENIED', other: 'ACCESS_DENIED' },
} as const satisfies Record<string, { readonly [use in UploadTokenUse]?: EnvelopeCode }>;

export type UploadTokenState = keyof typeof uploadTokenStates;

/** Where a token stands at `now`, by itself and by the key that minted it. Whatever ends it comes before its uses. */
export function stateOf(
  token: Pick<UploadToken, 'expiresAt' | 'endedAt' | 'usesLeft'>,
  key: ApiKey | undefined,
  now: number,
): UploadTokenState {
  if (!key || !isLive(key, now) || token.endedAt !== null) return 'ended';
  if (token.expiresAt <= now) return 'expired';
  return token.usesLeft > 0 ? 'usable' : 'used up';
}

/** Why a token may not do this in its state; undefined where it may. */
export function refusalOf(state: UploadTokenState, use: UploadTokenUse): EnvelopeCode | undefined {
  const refusals: { readonly [use in UploadTokenUse]?: EnvelopeCode } = uploadTokenStates[state];
  return refusals[use];
}
