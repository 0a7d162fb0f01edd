import type { EnvelopeCode } from '#generated/errors.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { isExpired, type StoredObject } from '#server/features/files/object.ts';

/** The states of a link. */
const shareStates = ['active', 'exhausted', 'revoked', 'expired', 'gone'] as const;

export type ShareState = (typeof shareStates)[number];

/**
 * The events of a link.
 *
 * - `spend`, `spend the last`: a download is spent, or the last one of the cap.
 * - `give back`: a download that never began is given back.
 * - `raise the cap`, `lower the cap`: its owner allows more downloads than it had, or no more than it had.
 * - `revoke`: its owner revokes it.
 * - `expire`: its time ends.
 * - `lose the file`: its file is deleted, moved or changes visibility.
 */
export type ShareEvent =
  | 'spend'
  | 'spend the last'
  | 'give back'
  | 'raise the cap'
  | 'lower the cap'
  | 'revoke'
  | 'expire'
  | 'lose the file';

/** The state after each event. An event that is not listed changes nothing. */
export const shareTransitions: Readonly<Record<ShareState, { readonly [event in ShareEvent]?: ShareState }>> = {
  active: {
    spend: 'active',
    'spend the last': 'exhausted',
    'give back': 'active',
    'raise the cap': 'active',
    'lower the cap': 'exhausted',
    revoke: 'revoked',
    expire: 'expired',
    'lose the file': 'gone',
  },
  exhausted: {
    'give back': 'active',
    'raise the cap': 'active',
    revoke: 'revoked',
    expire: 'expired',
    'lose the file': 'gone',
  },
  revoked: {},
  expired: {},
  gone: {},
};

/** The code that rejects visitors in each state. Revoked, gone and unknown look the same. */
export const shareRefusals = {
  active: undefined,
  exhausted: 'SHARE_EXHAUSTED',
  revoked: 'SHARE_NOT_FOUND',
  expired: 'SHARE_EXPIRED',
  gone: 'SHARE_NOT_FOUND',
} as const satisfies Record<ShareState, EnvelopeCode | undefined>;

/** What a link to several files holds: those that it lists, or all that are in a folder at the time of a visit. */
export type BundleKind = 'files' | 'folder';

/** A link to one file or to several, which works without a credential. Instants are milliseconds since the epoch. */
export interface Share {
  /**
   * Keyed hash of the id that opens the link, under the master key of its time. It names the row for good. After a
   * rotation of the master key, the link is found by another hash. @see share-id.ts
   */
  readonly idHash: string;
  /** That id, encrypted under the master key, to show it to its owner. */
  readonly sealedId: string;
  /**
   * The address and the generation of the file. For a bundle, the key is the folder that holds all of its files, with
   * its slash, or empty. There the space and the generation mean nothing.
   */
  readonly object: ObjectAddress;
  readonly generation: string;
  /** Null for a link to one file. @see bundle.ts */
  readonly bundle: BundleKind | null;
  /** How many files it lists. Null unless it lists files. */
  readonly fileCount: number | null;
  readonly createdAt: number;
  /** The link's own end. Its file may expire sooner. */
  readonly expiresAt: number;
  /** Both are null for a link without a cap. */
  readonly maxDownloads: number | null;
  readonly remainingDownloads: number | null;
  /** Null without a password. @see password.ts */
  readonly passwordHash: string | null;
  /** Whether a browser sees a page before the file. */
  readonly hasLanding: boolean;
  /** The heading of a page that shows the link. Null for the file's name. */
  readonly title: string | null;
  /** A message of the sender on that page. */
  readonly message: string | null;
  /** Downloads so far. Without a cap, those that began. */
  readonly downloads: number;
  readonly revokedAt: number | null;
}

/** What a page that shows a link says besides the file. */
export type ShareTexts = Pick<Share, 'title' | 'message'>;

/** A link as its owner sees it. */
export interface OwnedShare {
  /** The id that opens it. It is stored only encrypted. */
  readonly id: string;
  readonly share: Share;
  /** The name of its file. Null for a bundle, and for a file without one. */
  readonly fileName: string | null;
  /** @see endOf */
  readonly endsAt: number;
}

/**
 * Returns when a link ends: at its own time, or when its file expires, if that is sooner. The row stores only its own
 * time, because that of the file may change.
 */
export function endOf(
  { expiresAt }: Pick<Share, 'expiresAt'>,
  file: Pick<StoredObject, 'expiresAt'> | undefined,
): number {
  return Math.min(expiresAt, file?.expiresAt ?? Infinity);
}

/**
 * Whether only the form of the landing page begins a download. Programs that check mails open every address in them,
 * and would use up the cap.
 */
export function opensByForm({ hasLanding, maxDownloads }: Pick<Share, 'hasLanding' | 'maxDownloads'>): boolean {
  return hasLanding && maxDownloads !== null;
}

/** Finds the file that a link leads to. A bundle has none. */
export async function fileOf(
  objects: { find(address: ObjectAddress): Promise<StoredObject | undefined> },
  { bundle, object }: Share,
): Promise<StoredObject | undefined> {
  return bundle === null ? objects.find(object) : undefined;
}

/** Whether `object`, the file at the address, is the one that the link was made for. */
function isFileThere(
  { generation }: Pick<Share, 'generation'>,
  object: StoredObject | undefined,
  now: number,
): object is StoredObject {
  return object !== undefined && object.generation === generation && !isExpired(object, now);
}

/**
 * Returns the state of a link at `now`, given the file at its address. States in which the link looks unknown come
 * first. A bundle does not end with its files: it shows what is left.
 */
export function stateOf(share: Share, object: StoredObject | undefined, now: number): ShareState {
  if (share.revokedAt !== null) return 'revoked';
  if (share.bundle === null && !isFileThere(share, object, now)) return 'gone';
  if (share.expiresAt <= now) return 'expired';
  return share.remainingDownloads === 0 ? 'exhausted' : 'active';
}
