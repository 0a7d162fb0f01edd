import { changeOfApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { sealedFor, webhookCredential } from './webhook.ts';

interface Deps {
  readonly metadata: Writes<'apps' | 'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'seal' | 'unseal'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface SetWebhook extends NamedApp {
  /** The token for reading the repository. */
  readonly accessToken: string;
  /** The secret that the host signs deliveries with; undefined removes a former one. */
  readonly secret: string | undefined;
}

/**
 * Creates the application's webhook, or replaces token and secret of the existing one.
 *
 * @returns its code, the last part of its address. The code stays, unless it was stored under another master key
 * @throws APP_NOT_FOUND
 */
export function setWebhook(
  { metadata, secrets, ids }: Deps,
  { accountId, appId, accessToken, secret }: SetWebhook,
): Promise<string> {
  return changeOfApp(metadata, { accountId, appId }, async (tx) => {
    const former = await tx.gitWebhooks.find(appId);
    const code = (former && secrets.unseal(sealedFor.code, former.sealedCode, appId)) ?? ids.opaqueId();
    await tx.gitWebhooks.put({
      appId,
      codeHash: secrets.credentialHash(webhookCredential(code)),
      sealedCode: secrets.seal(sealedFor.code, code, appId),
      sealedToken: secrets.seal(sealedFor.token, accessToken, appId),
      sealedSecret: secret === undefined ? null : secrets.seal(sealedFor.secret, secret, appId),
      // Queued deploys are cloned with the new token.
      tokenOrigin: former?.tokenOrigin ?? null,
      pushedAt: former?.pushedAt ?? null,
      pushes: former?.pushes ?? 0,
    });
    return code;
  });
}
