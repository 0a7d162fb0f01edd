import type { EnvelopeCode } from '#generated/errors.ts';
import type { ObjectAddress } from '../object-id.ts';
import { isExpired, type StoredObject } from '../objects/object.ts';

/** What can become of a link. */
export const shareStates = ['active', 'exhausted', 'revoked', 'expired', 'gone'] as const;

export type ShareState = (typeof shareStates)[number];

/**
 * What happens to it: a download is spent, the last one of its cap is, one that never began is given back; its owner
 * revokes it; its time runs out; its file is deleted, moved or changes visibility.
 */
export type ShareEvent = 'spend' | 'spend the last' | 'give back' | 'revoke' | 'expire' | 'lose the file';

/** What an event leads to; what is not listed cannot happen and changes nothing. */
export const shareTransitions: Readonly<Record<ShareState, { readonly [event in ShareEvent]?: ShareState }>> = {
  active: {
    spend: 'active',
    'spend the last': 'exhausted',
    'give back': 'active',
    revoke: 'revoked',
    expire: 'expired',
    'lose the file': 'gone',
  },
  exhausted: { 'give back': 'active', revoke: 'revoked', expire: 'expired', 'lose the file': 'gone' },
  revoked: {},
  expired: {},
  gone: {},
};

/** What opening a link is refused with in each state. Revoked, gone and unknown look the same. */
export const shareRefusals = {
  active: undefined,
  exhausted: 'SHARE_EXHAUSTED',
  revoked: 'SHARE_NOT_FOUND',
  expired: 'SHARE_EXPIRED',
  gone: 'SHARE_NOT_FOUND',
} as const satisfies Record<ShareState, EnvelopeCode | undefined>;

/** A link to one file, which works without a credential. Instants are milliseconds since the epoch. */
export interface Share {
  /** Keyed hash of the id that opens the link, by which it is stored and found. @see share-id.ts */
  readonly idHash: string;
  /** That id, encrypted under the master key, to be shown to its owner. */
  readonly sealedId: string;
  /** The file, and which of those that may have had that address. */
  readonly object: ObjectAddress;
  readonly generation: string;
  readonly createdAt: number;
  /** The link's own time; its file may end it sooner. */
  readonly expiresAt: number;
  /** Null for a link without a cap; so is what is left of it. */
  readonly maxDownloads: number | null;
  readonly remainingDownloads: number | null;
  /** Null when none is asked for. @see password.ts */
  readonly passwordHash: string | null;
  /** Whether a browser sees a page before the file. */
  readonly hasLanding: boolean;
  readonly revokedAt: number | null;
}

/** A link as its owner sees it. */
export interface OwnedShare {
  /** The id that opens it, which is stored nowhere in the clear. */
  readonly id: string;
  readonly share: Share;
  /** @see endOf */
  readonly endsAt: number;
}

/**
 * Returns when a link ends: at its own time, or with its file when that expires sooner. The row keeps its own time,
 * since the file may expire later than it was to when the link was made.
 */
export function endOf({ expiresAt }: Pick<Share, 'expiresAt'>, file: Pick<StoredObject, 'expiresAt'>): number {
  return Math.min(expiresAt, file.expiresAt ?? Infinity);
}

/** Whether the file that the link was made for is there, given what is at its address. */
export function isFileThere(
  { generation }: Pick<Share, 'generation'>,
  object: StoredObject | undefined,
  now: number,
): object is StoredObject {
  return object !== undefined && object.generation === generation && !isExpired(object, now);
}

/** Where a link stands at `now`, given what is at the address of its file: what makes it look unknown comes first. */
export function stateOf(share: Share, object: StoredObject | undefined, now: number): ShareState {
  if (share.revokedAt !== null) return 'revoked';
  if (!isFileThere(share, object, now)) return 'gone';
  if (share.expiresAt <= now) return 'expired';
  return share.remainingDownloads === 0 ? 'exhausted' : 'active';
}
