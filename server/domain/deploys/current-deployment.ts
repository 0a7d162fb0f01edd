import { findApp } from '../apps/find-app.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Deploy } from './deploy.ts';
import { sealedFor } from './webhook.ts';

/** What an application deploys by, and what it deployed last. */
export interface CurrentDeployment {
  /** The last part of the webhook's address; null when none is set. */
  readonly code: string | null;
  readonly last: Deploy | null;
}

/** What was read before. The key names the application's revision, so after a change none of it is found. */
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
 * The application's webhook and its newest deploy, never older than the last change before the question. A webhook that
 * was set under another master key receives nothing any more: it is as if none were set.
 *
 * @throws APP_NOT_FOUND
 */
export async function currentDeployment(
  { metadata: { read }, secrets, cache }: Deps,
  app: { readonly appId: string; readonly accountId: string },
): Promise<CurrentDeployment> {
  const { appId } = app;
  await findApp(read.apps, app);
  // Read before the rest: what changes meanwhile is kept under a revision that is over already.
  const key = `${appId}:${await read.deploys.revision(appId)}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const webhook = await read.gitWebhooks.find(appId);
  const [last = null] = await read.deploys.listOf({ appId, limit: 1 });
  const current = { code: (webhook && secrets.unseal(sealedFor.code, webhook.sealedCode, appId)) ?? null, last };
  cache.set(key, current);
  return current;
}
