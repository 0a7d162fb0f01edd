import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { newS3Seed } from './s3-key-pair.ts';
import type { CreatedKey } from './create-key.ts';
import { newCredential } from './credential.ts';
import { keyActivity, recordKeyEvent } from './key-activity.ts';
import { keyAudit } from './key-audit.ts';
import { auditedAsker, earlierEnd, liveKeyOf, requireLiveKey, type KeyAsker } from './live-key.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'browserSessions' | 'events' | 'uploadTokens'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'keyNumber'>;
  readonly ids: Ids;
}

interface RegenerateKey {
  readonly accountId: string;
  readonly keyId: string;
  /** Its key may be the one that is changed. */
  readonly asker: KeyAsker;
}

/**
 * Gives one of an account's live keys a new secret. From the next request on, the old secret, its S3 key pair, the
 * upload tokens that it minted and its sessions are invalid. All other properties of the key stay. But it ends at the
 * latest with the key that asks for it, because no key may prolong its own life.
 *
 * @throws APIKEY_NOT_FOUND when it is unknown, another account's, revoked or expired: all look the same
 * @throws ACCESS_DENIED when the asker's key has ended meanwhile
 */
export function regenerateKey(
  { metadata, secrets, ids }: Deps,
  { accountId, keyId, asker }: RegenerateKey,
): Promise<CreatedKey> {
  return metadata.atomically(
    async (tx) => {
      const lastsUntil = await requireLiveKey(tx, asker);
      const former = await liveKeyOf(tx, accountId, keyId);
      const key = { ...former, expiresAt: earlierEnd(former.expiresAt, lastsUntil) };
      const credential = newCredential('apiKey', ids);
      const last4 = credential.slice(-4);
      const seed = newS3Seed(secrets, ids);
      const { keyNumber } = secrets;
      const hash = secrets.credentialHash(credential);
      await tx.apiKeys.replaceSecret(keyId, { hash, keyNumber, last4, expiresAt: key.expiresAt, ...seed });
      await tx.uploadTokens.endThoseOf(keyId, tx.now);
      await tx.browserSessions.endThoseOf({ keyId });
      await recordActivity(tx, keyActivity('key.created', key, asker.actor, { regenerated: true }));
      await recordKeyEvent(tx, 'key.created', key, { actor: asker.actor, isRegenerated: true });
      await recordAudit(tx, keyAudit('key.regenerated', key, auditedAsker(asker)));
      return { key: { ...key, last4, ...seed }, credential };
    },
    { account: accountId },
  );
}
