import type { App } from '#server/features/apps/app.ts';
import { findByCredential } from '#server/domain/find-by-credential.ts';
import { maxCoalescedPushes } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Reads, Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { keepCalm } from './keep-calm.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { addDeploy } from './add-deploy.ts';
import { hookCredential, type DeployHook } from './deploy-hook.ts';
import type { Deploy } from './deploy.ts';
import { isBranchName, noCommit } from './push.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'apps' | 'deployHooks'> &
    Writes<'apps' | 'commitStatuses' | 'deployHooks' | 'deploys' | 'events'>;
  readonly secrets: Pick<Secrets, 'finders'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

interface QueueHook {
  readonly code: string;
  /** The branch, or the hook's own. */
  readonly branch: string | undefined;
  /** The commit, or the newest of the branch. */
  readonly commit: string | undefined;
  /** A hook may be used once in each window. */
  readonly windowMs: number;
  /** Whether it may be used more often, as in {@link QueuePush}. */
  readonly coalesces: boolean;
}

interface QueuedByHook {
  readonly deploy: Deploy;
  /** The uses that are left in this window, and for how long the window lasts. */
  readonly left: { readonly remaining: number; readonly resetMs: number };
}

const branchStart = 'refs/heads/';

/** Returns the branch of a ref, with or without `refs/heads/`. @throws INVALID_REF */
export function branchOfRef(ref: string): string {
  const branch = ref.startsWith(branchStart) ? ref.slice(branchStart.length) : ref;
  if (branch.startsWith('refs/') || !isBranchName(branch)) throw new Refusal('INVALID_REF');
  return branch;
}

type FindDeps = {
  readonly metadata: Reads<'accounts' | 'apps' | 'deployHooks'>;
  readonly secrets: Pick<Secrets, 'finders'>;
};

/**
 * Returns the application of a hook.
 *
 * @throws DEPLOY_HOOK_NOT_FOUND also when an operator has stopped the account
 */
export async function findHookApp({ metadata, secrets }: FindDeps, code: string): Promise<App> {
  const found = await findByCredential(secrets, hookCredential(code), (hash) =>
    metadata.read.deployHooks.findByCode(hash),
  );
  const app = found && (await metadata.read.apps.find(found.appId));
  if (!app || (await metadata.read.accounts.isClosed(app.accountId))) throw new Refusal('DEPLOY_HOOK_NOT_FOUND');
  return app;
}

/**
 * Queues a deploy by the address of a hook.
 *
 * @throws DEPLOY_HOOK_NOT_FOUND also when an operator has stopped the account
 * @throws KEEP_CALM
 */
export async function queueHook({ metadata, secrets, ids }: Deps, request: QueueHook): Promise<QueuedByHook> {
  const { code, branch, commit, windowMs, coalesces } = request;
  const { id: appId, accountId } = await findHookApp({ metadata, secrets }, code);
  return metadata.atomically(
    async (tx) => {
      const hook = await tx.deployHooks.find(appId);
      // It may have been replaced meanwhile. A rotation of the master key changes the hash alone.
      const isSame = secrets.finders().some((key) => hook && isHashOf(hook, key.credentialHash(hookCredential(code))));
      if (!hook || !isSame) throw new Refusal('DEPLOY_HOOK_NOT_FOUND');
      const most = coalesces ? maxCoalescedPushes : 1;
      if (!(await tx.deployHooks.spend(appId, tx.now, windowMs, most))) {
        const waitMs = windowMs - Math.abs(tx.now - hook.usedAt!);
        throw keepCalm(waitMs, coalesces);
      }
      const { repository, host } = hook;
      const added = { appId, branch: branch ?? hook.branch, commit: commit ?? noCommit, message: null };
      const options = { ids, apartMs: coalesces ? windowMs : 0 };
      const deploy = (await tx.deploys.find(await addDeploy(tx, options, { ...added, repository, host })))!;
      const { uses, usedAt } = (await tx.deployHooks.find(appId))!;
      return { deploy, left: { remaining: most - uses, resetMs: windowMs - Math.abs(tx.now - usedAt!) } };
    },
    { account: accountId },
  );
}

function isHashOf({ codeHash }: DeployHook, hash: Uint8Array): boolean {
  return Buffer.compare(codeHash, hash) === 0;
}
