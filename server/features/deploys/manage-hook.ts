import { changeOfApp, findApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Reads, Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hookCredential, sealedForHook, type DeployHook } from './deploy-hook.ts';

interface CreateDeps {
  readonly metadata: Writes<'apps' | 'deployHooks'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'seal'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

type Choice = Pick<DeployHook, 'repository' | 'branch' | 'host'>;

/**
 * Creates the hook of an application. A former one ends at once.
 *
 * @returns the hook, and its code, which nobody can read again
 * @throws APP_NOT_FOUND
 */
export function createHook(
  { metadata, secrets, ids }: CreateDeps,
  app: NamedApp,
  choice: Choice,
): Promise<{ readonly hook: DeployHook; readonly code: string }> {
  const { appId } = app;
  return changeOfApp(metadata, app, async (tx) => {
    const code = ids.opaqueId();
    const former = await tx.deployHooks.find(appId);
    const hook: DeployHook = {
      ...choice,
      appId,
      codeHash: secrets.credentialHash(hookCredential(code)),
      sealedCode: secrets.seal(sealedForHook, code, appId),
      createdAt: tx.now,
      // A new address does not give more deploys.
      usedAt: former?.usedAt ?? null,
      uses: former?.uses ?? 0,
    };
    await tx.deployHooks.put(hook);
    return { hook, code };
  });
}

/** Returns the hook of an application. @throws APP_NOT_FOUND, DEPLOY_HOOK_NOT_FOUND */
export async function findHook(
  { metadata: { read } }: { readonly metadata: Reads<'apps' | 'deployHooks'> },
  app: NamedApp,
): Promise<DeployHook> {
  await findApp(read.apps, app);
  const hook = await read.deployHooks.find(app.appId);
  if (!hook) throw new Refusal('DEPLOY_HOOK_NOT_FOUND');
  return hook;
}

/** Ends the hook of an application. @throws APP_NOT_FOUND, DEPLOY_HOOK_NOT_FOUND */
export function revokeHook(
  { metadata }: { readonly metadata: Writes<'apps' | 'deployHooks'> },
  app: NamedApp,
): Promise<void> {
  return changeOfApp(metadata, app, async (tx) => {
    if (!(await tx.deployHooks.remove(app.appId))) throw new Refusal('DEPLOY_HOOK_NOT_FOUND');
  });
}
