import type { AuditVerdict } from '#server/domain/audit/verify-audit.ts';

/** Returns the result of a check of the audit log. */
export function auditVerdictView({ entries, head, problems }: AuditVerdict) {
  return { ok: problems.length === 0, entries, head: { ...head }, problems: [...problems] };
}
