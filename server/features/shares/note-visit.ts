import { recordShareEvent } from '#server/domain/events/share-event.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Share } from './share.ts';

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
