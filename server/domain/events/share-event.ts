import { formatObjectId, type ObjectAddress } from '../object-id.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { ShareDetails } from './event-details.ts';
import type { EventType } from './event-type.ts';

/** The part of a share link that its events contain. Instants are milliseconds since the epoch. */
export interface ToldShare {
  readonly object: ObjectAddress;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxDownloads: number | null;
  readonly remainingDownloads: number | null;
}

/** Why a link has ended. @see openapi/schemas/shares/EventShareData.yaml */
type EndReason = 'revoked' | 'expired' | 'spent' | LossReason;

/** Why a link has lost its file. */
export type LossReason = 'file_deleted' | 'file_moved' | 'file_expired';

/** Adds the event of a link's end. The caller notes the end in the same transaction, so that the event comes once. */
export async function recordShareEnd(
  tx: Transaction<'events'>,
  share: ToldShare,
  reason: EndReason,
  more: Omit<ShareDetails, 'object' | 'share'> = {},
): Promise<void> {
  // A link without downloads has ended when the last one was spent.
  if (share.remainingDownloads === 0 && reason !== 'spent') return;
  await recordShareEvent(tx, 'share.ended', share, { reason, ...more });
}

/**
 * Adds an event about a share link. It names the file and the limits of the link. The link's id stays out of it,
 * because it opens the link.
 */
export async function recordShareEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `share.${string}`>,
  { object, createdAt, expiresAt, maxDownloads, remainingDownloads }: ToldShare,
  more: Omit<ShareDetails, 'object' | 'share'> = {},
): Promise<void> {
  const { accountId, space, key } = object;
  const share = { createdAt, expiresAt, maxDownloads, remainingDownloads };
  const data = { object: { id: formatObjectId({ accountId, space, key }) }, share, ...more };
  await tx.events.add({ accountId, type, key, data }, tx.now);
}
