import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Writes } from '../ports/metadata.ts';

/** Lets automatic deletion continue after a jump of the clock. Returns whether it was waiting. */
export function confirmClock(
  { metadata }: { readonly metadata: Writes<'audit' | 'clockJump'> },
  by: AuditActor = serverActor,
): Promise<boolean> {
  return metadata.atomically(async (tx) => {
    const wasWaiting = await tx.clockJump.clear();
    if (wasWaiting)
      await recordAudit(tx, { action: 'clock.confirmed', by, accountId: null, subject: null, details: {} });
    return wasWaiting;
  });
}
