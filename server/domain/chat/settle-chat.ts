import type { Metadata } from '../ports/metadata.ts';
import type { ChatAdmission } from './admit-chat.ts';
import type { TokenUsage } from './conversation.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

/**
 * Charges what a request has used, over all of its rounds, and gives up what was held for it; once. The day is the one
 * on which it was let in.
 */
export async function settleChat({ metadata }: Deps, { leaseId }: Pick<ChatAdmission, 'leaseId'>, usage: TokenUsage): Promise<void> {
  await metadata.atomically(async (tx) => {
    const lease = await tx.chat.giveUp(leaseId);
    if (lease) await tx.chat.charge(lease, usage);
  });
}

/** Gives up what was held for a request that came to nothing: it costs nothing, and neither counts nor sets the pace. */
export async function releaseChat({ metadata }: Deps, { leaseId }: Pick<ChatAdmission, 'leaseId'>): Promise<void> {
  await metadata.atomically((tx) => tx.chat.giveUp(leaseId), { isLasting: false });
}
