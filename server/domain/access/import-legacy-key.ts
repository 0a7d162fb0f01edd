import { systemActor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { findByCredential } from '../find-by-credential.ts';
import { Refusal } from '../refusal.ts';
import type { ApiKey } from './api-key.ts';
import { keyActivity } from './key-activity.ts';
import { keyAudit } from './key-audit.ts';
import { requireOneMoreKey } from './live-key.ts';
import { everyScope } from './scope.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'events'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'finders' | 'keyNumber'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface ImportLegacyKey {
  readonly accountId: string;
  readonly name: string;
  /** The key's own text, as its clients send it. @see credential.ts */
  readonly credential: string;
  readonly by?: AuditActor;
}

interface ImportedLegacyKey {
  readonly key: ApiKey;
  /** Whether an earlier call imported it. */
  readonly wasImported: boolean;
}

/**
 * Imports a key of the former service, so that its clients go on working. It has all scopes, as keys had then, and no
 * S3 key pair. May be called twice.
 *
 * @throws APIKEY_LIMIT_REACHED when the account has ten live keys
 * @throws CONFLICTING_RESOURCES when another account has this key
 */
export function importLegacyKey(
  { metadata, secrets, ids }: Deps,
  { accountId, name, credential, by = serverActor }: ImportLegacyKey,
): Promise<ImportedLegacyKey> {
  return metadata.atomically(
    async (tx) => {
      const existing = await findByCredential(secrets, credential, (hash) => tx.apiKeys.findByHash(hash));
      if (existing && existing.accountId !== accountId)
        throw new Refusal('CONFLICTING_RESOURCES', { message: 'Another account has this key. Nothing was imported.' });
      if (existing) return { key: existing, wasImported: true };
      await requireOneMoreKey(tx, accountId);
      const key: ApiKey = {
        id: ids.opaqueId(),
        accountId,
        name,
        scopes: [everyScope],
        resources: null,
        prefixes: null,
        ai: null,
        createdAt: tx.now,
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        last4: credential.slice(-4),
        s3Salt: null,
        s3Check: null,
        s3Sealed: null,
      };
      await tx.apiKeys.add(key, secrets.credentialHash(credential), secrets.keyNumber);
      await recordActivity(tx, keyActivity('key.created', key, systemActor, { imported: true }));
      await recordAudit(tx, keyAudit('key.imported', key, by));
      return { key, wasImported: false };
    },
    { account: accountId },
  );
}
