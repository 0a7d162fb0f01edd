import type { AuditRecord } from '#server/domain/audit/audit-entry.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import type { Operator, Stores } from './operator.ts';

/** Adds an entry to the audit log about something that a command has done, or begins to do. */
export function recordAction(
  { actor: by }: Pick<Operator, 'actor'>,
  { metadata }: Pick<Stores, 'metadata'>,
  { accountId = null, subject = null, ...what }: Pick<AuditRecord, 'action' | 'details'> & Partial<AuditRecord>,
): Promise<void> {
  return metadata.atomically((tx) => recordAudit(tx, { by, accountId, subject, ...what }), { isAudited: true });
}
