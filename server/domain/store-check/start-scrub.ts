import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Writes } from '../ports/metadata.ts';
import { begunRound, isRequested } from './scrub.ts';

interface Deps {
  readonly metadata: Writes<'audit' | 'storeCheck'>;
}

/**
 * Begins a round of the scrub that does not wait for its days. The servers read. A round that an operator requested
 * before goes on. May be called twice.
 */
export async function startScrub({ metadata }: Deps, by: AuditActor): Promise<void> {
  await metadata.atomically(async (tx) => {
    if (isRequested(await tx.storeCheck.scrubPosition())) return;
    await tx.storeCheck.saveScrubPosition(begunRound(tx.now, tx.now));
    await recordAudit(tx, { action: 'scrub.started', by, accountId: null, subject: null, details: {} });
  });
}
