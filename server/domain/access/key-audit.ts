import type { AuditActor, AuditRecord } from '../audit/audit-entry.ts';
import type { ApiKey } from './api-key.ts';

/** Makes the audit record of a key. It contains what the key may do, but no part of its secret. */
export function keyAudit(
  action: 'key.created' | 'key.regenerated' | 'key.imported' | 'key.revoked',
  { id, accountId, name, scopes, prefixes, resources, expiresAt }: ApiKey,
  by: AuditActor,
): AuditRecord {
  const reach = {
    scopes,
    prefixes,
    resources,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
  const isEnd = action === 'key.revoked';
  return { action, by, accountId, subject: id, details: { name, ...(!isEnd && reach) } };
}
