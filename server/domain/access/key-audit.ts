import type { AuditActor, AuditRecord } from '../audit/audit-entry.ts';
import type { ApiKey } from './api-key.ts';
import { wireAiLimits } from './key-ai-limits.ts';

/** Makes the audit record of a key. It contains what the key may do, but no part of its secret. */
export function keyAudit(
  action: 'key.created' | 'key.regenerated' | 'key.imported' | 'key.ai_limits_changed' | 'key.revoked',
  { id, accountId, name, scopes, prefixes, resources, ai, expiresAt }: ApiKey,
  by: AuditActor,
): AuditRecord {
  const reach = {
    scopes,
    prefixes,
    resources,
    ...(ai && { ai: wireAiLimits(ai) }),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
  const record = { action, by, accountId, subject: id };
  if (action === 'key.revoked') return { ...record, details: { name } };
  if (action === 'key.ai_limits_changed') return { ...record, details: { name, ai: wireAiLimits(ai) } };
  return { ...record, details: { name, ...reach } };
}
