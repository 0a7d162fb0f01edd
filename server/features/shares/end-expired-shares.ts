import { inSteps } from '#server/domain/in-steps.ts';
import { endedSharesKeptMs } from './limits.ts';
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
  const start: ExpiryCursor = { expiresAt: now - endedSharesKeptMs, idHash: '' };
  const steps = inSteps<ExpiredShare>(stepShares, (behind, limit) =>
    metadata.read.shares.expired(behind ?? start, now, limit),
  );
  for await (const step of steps)
    for (const share of step) if (!share.hasEnded && share.revokedAt === null && (await end(metadata, share))) told++;
  return told;
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
