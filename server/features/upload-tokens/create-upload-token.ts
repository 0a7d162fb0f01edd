import type { ApiKey } from '#server/domain/access/api-key.ts';
import { newCredential } from '#server/domain/access/credential.ts';
import { isSameLiveKey } from '#server/domain/access/require-sender.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { PinnedOptions, UploadToken } from '#server/domain/access/upload-token.ts';
import { requirePlanFor } from '#server/domain/file-options.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'uploadTokens'>;
  readonly secrets: Pick<Secrets, 'credentialHash'>;
  readonly ids: Ids;
}

export interface CreateUploadToken {
  readonly account: Account;
  /** The key that mints it. */
  readonly key: ApiKey;
  readonly pins: PinnedOptions;
  readonly lifetimeMs: number;
  readonly maxUses: number;
}

export interface CreatedUploadToken {
  readonly token: UploadToken;
  /** The secret. It is not stored, so it can be shown only now. */
  readonly credential: string;
}

/**
 * Mints an upload token. It ends with its key at the latest.
 *
 * @throws UPGRADE_REQUIRED
 * @throws ACCESS_DENIED when its key has ended, or got another secret, meanwhile
 */
export async function createUploadToken(
  { metadata, secrets, ids }: Deps,
  { account, key, pins, lifetimeMs, maxUses }: CreateUploadToken,
): Promise<CreatedUploadToken> {
  // Uploads with the token check it again, because the plan may have changed by then.
  requirePlanFor(account.plan, pins);
  return metadata.atomically(
    async (tx) => {
      // The key may have ended since the request was authenticated.
      if (!(await isSameLiveKey(tx, key))) throw new Refusal('ACCESS_DENIED');
      const credential = newCredential('uploadToken', ids);
      const token: UploadToken = {
        id: ids.opaqueId(),
        accountId: account.id,
        keyId: key.id,
        pins,
        createdAt: tx.now,
        expiresAt: Math.min(tx.now + lifetimeMs, key.expiresAt ?? Infinity),
        endedAt: null,
        maxUses,
        usesLeft: maxUses,
      };
      await tx.uploadTokens.add(token, secrets.credentialHash(credential));
      return { token, credential };
    },
    { account: account.id },
  );
}
