import type { Actor } from '../activity/activity.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { AuditActor, AuditRecord } from './audit-entry.ts';
import { hashOf } from './chain.ts';

/**
 * Adds an entry to the audit log, in the transaction that it is about. A rollback removes the entry too. Call it last:
 * no other transaction can add entries until this one ends.
 */
export async function recordAudit(tx: Transaction<'audit'>, record: AuditRecord): Promise<void> {
  const last = await tx.audit.lockHead();
  const entry = { ...record, sequence: last.sequence + 1, at: tx.now, previousHash: last.hash };
  await tx.audit.add({ ...entry, hash: hashOf(entry) });
}

/** Returns the holder of an API key as the audit log shows it. */
export function keyHolder(keyId: string, { sourceIp }: Pick<Actor, 'sourceIp'>): AuditActor {
  return { kind: 'api_key', id: keyId, address: sourceIp };
}
