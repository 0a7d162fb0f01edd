import { findApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Deploy } from './deploy.ts';
import { sealedFor } from './webhook.ts';

/** What the revision of an application covers: its webhook and its last deploy. */
export interface Revised {
  /** The last part of the webhook's address; null without a webhook. */
  readonly code: string | null;
  readonly last: Deploy | null;
}

/** What is connected to an application, and its last deploy. */
interface CurrentDeployment extends Revised {
  readonly hasHook: boolean;
  readonly hasStatus: boolean;
}

/** A cache of deployments. A cache key contains the application's revision, so no entry is stale. */
export interface DeploymentCache {
  get(key: string): Revised | undefined;
  set(key: string, deployment: Revised): void;
}

interface Deps {
  readonly metadata: Reads<'apps' | 'commitStatuses' | 'deployHooks' | 'deploys' | 'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly cache: DeploymentCache;
}

/**
 * Returns what is connected to the application and its newest deploy, including every change before the call. A webhook
 * that was set under another master key cannot work, so it counts as none.
 *
 * @throws APP_NOT_FOUND
 */
export async function currentDeployment(deps: Deps, app: NamedApp): Promise<CurrentDeployment> {
  const { apps, deployHooks, commitStatuses } = deps.metadata.read;
  const { appId } = app;
  await findApp(apps, app);
  const revised = await revisedDeployment(deps, appId);
  const [hook, token] = [await deployHooks.find(appId), await commitStatuses.tokenOf(appId)];
  return { ...revised, hasHook: hook !== undefined, hasStatus: token !== undefined };
}

async function revisedDeployment({ metadata: { read }, secrets, cache }: Deps, appId: string): Promise<Revised> {
  // The revision is read first. A change during the reads is then cached under the former revision, which no later call
  // asks for.
  const key = `${appId}:${await read.deploys.revision(appId)}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const webhook = await read.gitWebhooks.find(appId);
  const [last = null] = await read.deploys.listOf({ appId, limit: 1 });
  const revised = { code: (webhook && secrets.unseal(sealedFor.code, webhook.sealedCode, appId)) ?? null, last };
  cache.set(key, revised);
  return revised;
}
