import { findApp } from '../apps/find-app.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Deploy } from './deploy.ts';
import { sealedFor } from './webhook.ts';

/** An application's webhook and its last deploy. */
export interface CurrentDeployment {
  /** The last part of the webhook's address; null without a webhook. */
  readonly code: string | null;
  readonly last: Deploy | null;
}

/** A cache of deployments. A cache key contains the application's revision, so no entry is stale. */
export interface DeploymentCache {
  get(key: string): CurrentDeployment | undefined;
  set(key: string, deployment: CurrentDeployment): void;
}

interface Deps {
  readonly metadata: Reads<'apps' | 'deploys' | 'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly cache: DeploymentCache;
}

/**
 * Returns the application's webhook and its newest deploy, including every change before the call. A webhook that was
 * set under another master key cannot work, so it counts as none.
 *
 * @throws APP_NOT_FOUND
 */
export async function currentDeployment(
  { metadata: { read }, secrets, cache }: Deps,
  app: { readonly appId: string; readonly accountId: string },
): Promise<CurrentDeployment> {
  const { appId } = app;
  await findApp(read.apps, app);
  // The revision is read first. A change during the reads is then cached under the former revision, which no later call
  // asks for.
  const key = `${appId}:${await read.deploys.revision(appId)}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const webhook = await read.gitWebhooks.find(appId);
  const [last = null] = await read.deploys.listOf({ appId, limit: 1 });
  const current = { code: (webhook && secrets.unseal(sealedFor.code, webhook.sealedCode, appId)) ?? null, last };
  cache.set(key, current);
  return current;
}
