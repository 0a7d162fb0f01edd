import { newCredential } from '../access/credential.ts';
import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { OperatorKey } from './operator-key.ts';

interface Deps {
  readonly metadata: Writes<'audit' | 'operatorKeys'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'keyNumber'>;
  readonly ids: Ids;
}

interface CreateOperatorKey {
  readonly name: string;
  /** Left out for a key that does not expire. */
  readonly lifetimeMs?: number;
  readonly by: AuditActor;
}

/**
 * Creates a key of the operator's door. Only the command line can: a stolen key must not make further ones. Its secret
 * is not stored, so it can be shown only now.
 */
export function createOperatorKey({ metadata, secrets, ids }: Deps, { name, lifetimeMs, by }: CreateOperatorKey) {
  return metadata.atomically(
    async (tx) => {
      const credential = newCredential('operatorKey', ids);
      const key: OperatorKey = {
        id: ids.opaqueId(),
        name,
        createdAt: tx.now,
        lastUsedAt: null,
        expiresAt: lifetimeMs === undefined ? null : tx.now + lifetimeMs,
        revokedAt: null,
        last4: credential.slice(-4),
      };
      await tx.operatorKeys.add(key, secrets.credentialHash(credential), secrets.keyNumber);
      const expiresAt = key.expiresAt === null ? null : new Date(key.expiresAt).toISOString();
      const details = { name, expires_at: expiresAt };
      await recordAudit(tx, { action: 'operator_key.created', by, accountId: null, subject: key.id, details });
      return { key, credential };
    },
    { isAudited: true },
  );
}
