import type { AuditEntry } from '#server/domain/audit/audit-entry.ts';
import { timestamp } from '../../wire.ts';

/** Returns an entry of the audit log as the operator's API and the export show it. */
export function auditEntryView({ by, at, previousHash, accountId, ...entry }: AuditEntry) {
  const { sequence, action, subject, details, hash } = entry;
  return {
    sequence,
    at: timestamp(at),
    action,
    actor: { kind: by.kind, id: by.id, address: by.address },
    account_id: accountId,
    subject,
    details: { ...details },
    previous_hash: previousHash,
    hash,
  };
}
