import { findApp } from '../apps/find-app.ts';
import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { sealedFor, webhookCredential } from './webhook.ts';

interface Deps {
  readonly metadata: Writes<'apps' | 'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'seal' | 'unseal'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

export interface SetWebhook {
  readonly accountId: string;
  readonly appId: string;
  /** With which the repository is read. */
  readonly accessToken: string;
  /** What the host signs its deliveries with; undefined for none, also where there was one. */
  readonly secret: string | undefined;
}

/**
 * Makes the application's webhook, or replaces token and secret of the one that it has, and answers its code: the last
 * part of its address, which stays. Only under another master key the former code cannot be read any more, and a new
 * one is made.
 *
 * @throws APP_NOT_FOUND
 */
export function setWebhook(
  { metadata, secrets, ids }: Deps,
  { accountId, appId, accessToken, secret }: SetWebhook,
): Promise<string> {
  return metadata.atomically(async (tx) => {
    await findApp(tx.apps, { appId, accountId });
    const former = await tx.gitWebhooks.find(appId);
    const code = (former && secrets.unseal(sealedFor.code, former.sealedCode, appId)) ?? ids.opaqueId();
    await tx.gitWebhooks.put({
      appId,
      codeHash: secrets.credentialHash(webhookCredential(code)),
      sealedCode: secrets.seal(sealedFor.code, code, appId),
      sealedToken: secrets.seal(sealedFor.token, accessToken, appId),
      sealedSecret: secret === undefined ? null : secrets.seal(sealedFor.secret, secret, appId),
      // What waits in the queue is cloned with the new token.
      tokenOrigin: former?.tokenOrigin ?? null,
      pushedAt: former?.pushedAt ?? null,
    });
    return code;
  });
}
