import { endedSharesKeptMs } from '#server/domain/limits.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { recordShareEnd } from '#server/domain/events/share-event.ts';
import type { ExpiredShare, ExpiryCursor } from './table.ts';

interface Deps {
  readonly metadata: Metadata<'events' | 'shares'>;
}

/** Links that are read in one step, few enough not to delay requests. */
const stepShares = 500;

/**
 * Adds the event of each link that has expired, once. Visitors are refused by the clock alone, so this may come later.
 * Returns how many links it told of.
 */
export async function endExpiredShares({ metadata }: Deps, now: number): Promise<number> {
  let told = 0;
  let behind: ExpiryCursor = { expiresAt: now - endedSharesKeptMs, idHash: '' };
  for (;;) {
    const step: ExpiredShare[] = await metadata.read.shares.expired(behind, now, stepShares);
    for (const share of step) if (!share.hasEnded && share.revokedAt === null && (await end(metadata, share))) told++;
    if (step.length < stepShares) return told;
    behind = step.at(-1)!;
  }
}

async function end(metadata: Deps['metadata'], share: ExpiredShare): Promise<boolean> {
  return metadata.atomically(
    async (tx) => {
      const isNew = await tx.shares.noteExpired(share.idHash);
      if (isNew) await recordShareEnd(tx, share, 'expired');
      return isNew;
    },
    { account: share.object.accountId },
  );
}
