import type { EventType } from '../events/event.ts';
import { instant, recordEventAt } from '../events/record-event.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import type { Share } from './share.ts';

/** The part of a link that its events contain. */
export type ToldShare = Pick<Share, 'object' | 'createdAt' | 'expiresAt' | 'maxDownloads' | 'remainingDownloads'>;

/** Why a link has ended. */
type EndReason = 'revoked' | 'expired';

/** Adds the event of a link's end. Whoever calls it has noted the end in the same transaction, so that it follows once. */
export async function recordShareEnd(
  tx: Transaction<'events'>,
  share: ToldShare,
  reason: EndReason,
  more: object = {},
): Promise<void> {
  await recordShareEvent(tx, 'share.ended', share, { reason, ...more });
}

/**
 * Adds an event about a share link. It names the file and the limits of the link. The link's id stays out of it, because
 * it opens the link.
 */
export async function recordShareEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `share.${string}`>,
  { object, createdAt, expiresAt, maxDownloads, remainingDownloads }: ToldShare,
  more: object = {},
): Promise<void> {
  await recordEventAt(tx, type, object, {
    share: {
      created_at: instant(createdAt),
      expires_at: instant(expiresAt),
      max_downloads: maxDownloads,
      remaining_downloads: remainingDownloads,
    },
    ...more,
  });
}

/** Notes a visit of a link, and a download of a link without a cap. It need not survive a power cut. */
export async function noteVisit(
  { metadata }: { readonly metadata: Writes<'events' | 'shares'> },
  share: Share,
  isDownload: boolean,
): Promise<void> {
  const options = { account: share.object.accountId, isDurable: false };
  await metadata.atomically(async (tx) => {
    await recordShareEvent(tx, 'share.visited', share);
    if (!isDownload) return;
    await tx.shares.countDownload(share.idHash);
    await recordShareEvent(tx, 'share.downloaded', share);
  }, options);
}
