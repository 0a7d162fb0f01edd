import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Writes } from '../ports/metadata.ts';
import type { OperatorKey } from './operator-key.ts';

interface Deps {
  readonly metadata: Writes<'audit' | 'browserSessions' | 'operatorKeys'>;
}

interface RevokedOperatorKey {
  readonly key: OperatorKey & { readonly revokedAt: number };
  /** Whether an earlier call revoked it. `revokedAt` is then the instant of that call. */
  readonly wasRevoked: boolean;
}

/**
 * Revokes a key of the operator's door, from the next request on. May be called twice.
 *
 * @returns undefined when no key has this id
 */
export function revokeOperatorKey(
  { metadata }: Deps,
  keyId: string,
  by: AuditActor,
): Promise<RevokedOperatorKey | undefined> {
  return metadata.atomically(async (tx) => {
    const key = await tx.operatorKeys.find(keyId);
    if (!key) return undefined;
    if (key.revokedAt !== null) return { key: { ...key, revokedAt: key.revokedAt }, wasRevoked: true };
    await tx.operatorKeys.revoke(keyId, tx.now);
    await tx.browserSessions.endThoseOf({ keyId });
    const details = { name: key.name };
    await recordAudit(tx, { action: 'operator_key.revoked', by, accountId: null, subject: keyId, details });
    return { key: { ...key, revokedAt: tx.now }, wasRevoked: false };
  });
}
