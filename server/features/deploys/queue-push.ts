import { maxCoalescedPushes, maxPushedBranches } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { keepCalm } from './keep-calm.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { addDeploy } from './add-deploy.ts';
import type { Deploy } from './deploy.ts';
import type { FoundWebhook } from './find-webhook.ts';
import { originOf, type BranchChange, type GitPush } from './push.ts';
import { queueUnavailable } from './queue-unavailable.ts';

interface Deps {
  readonly metadata: Writes<'apps' | 'commitStatuses' | 'deploys' | 'events' | 'gitDeliveries' | 'gitWebhooks'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

export interface QueuePush {
  readonly webhook: Pick<FoundWebhook, 'appId' | 'codeHashes' | 'secret'>;
  readonly push: Pick<GitPush, 'host' | 'repository'>;
  /** At least one. If a branch appears twice, the last entry wins. */
  readonly branches: readonly BranchChange[];
  /** How a redelivery is recognised. */
  readonly delivery: {
    /** The hash of the host's id; undefined when the host has no id that a retry keeps and a new push changes. */
    readonly idHash: Uint8Array | undefined;
    readonly bodyHash: Uint8Array;
    /** Whether equal bytes may identify a redelivery. If not, only the id does. */
    readonly isKnownByBody: boolean;
    /** Whether the bytes contain the former commits, or a time, so that equal bytes alone identify a redelivery. */
    readonly tellsBefore: boolean;
  };
  /** A webhook may push once in each window. */
  readonly windowMs: number;
  /**
   * Whether it may push more often. A window then takes {@link maxCoalescedPushes} pushes, and deploys of a branch
   * begin at least a window apart.
   */
  readonly coalesces?: boolean;
}

interface QueuedPush {
  /** In the order of the branches. */
  readonly deploys: readonly Deploy[];
  /** Whether the delivery came for the first time, and was counted. */
  readonly isNew: boolean;
  /** The pushes that the webhook may still send in this window, and for how long the window lasts. */
  readonly left: { readonly remaining: number; readonly resetMs: number };
}

/**
 * Queues a deploy for each branch. It replaces a waiting deploy of the same branch. Resolves when the deploys would
 * survive a power cut. A redelivery returns the deploys of its first delivery, and queues none.
 *
 * @throws WEBHOOK_NOT_FOUND when it was removed meanwhile
 * @throws INVALID_PAYLOAD when the push has more branches than one push may deploy
 * @throws KEEP_CALM
 * @throws DEPLOY_QUEUE_UNAVAILABLE
 */
export async function queuePush({ metadata, ids }: Deps, request: QueuePush): Promise<QueuedPush> {
  const branches = [...new Map(request.branches.map((change) => [change.branch, change])).values()];
  if (branches.length > maxPushedBranches)
    throw new Refusal('INVALID_PAYLOAD', {
      message: `The push names more than ${maxPushedBranches} branches. Push fewer at once.`,
    });
  const queuing = metadata.atomically(async (tx) => {
    const before = await findRepeated(tx, request, branches);
    if (before) return { deploys: before, isNew: false, left: { remaining: 0, resetMs: 0 } };
    const left = await spend(tx, request);
    return { deploys: await queueDeploys(tx, ids, request, branches), isNew: true, left };
  });
  return queuing.catch(queueUnavailable);
}

/** Returns the deploys of an earlier delivery of the same push; undefined for the first delivery. */
async function findRepeated(
  tx: Transaction<'deploys' | 'gitDeliveries'>,
  { webhook: { appId }, delivery: { idHash, bodyHash, isKnownByBody, tellsBefore } }: QueuePush,
  branches: readonly BranchChange[],
): Promise<Deploy[] | undefined> {
  const byId = idHash && (await tx.gitDeliveries.find(appId, idHash));
  if (byId) {
    const deploys = await deploysOf(tx, byId.deployIds);
    // The same id with other commits is another push.
    if (
      branches.every((change) =>
        deploys.some(({ branch, commit }) => branch === change.branch && commit === change.commit),
      )
    )
      return deploys;
  }
  if (!isKnownByBody) return undefined;
  const byBody = await tx.gitDeliveries.find(appId, bodyHash);
  if (!byBody) return undefined;
  // Payloads without the former commit look identical when a branch is moved back and forth, so only the newest deploy
  // counts as a repeat.
  return tellsBefore || (await areNewest(tx, appId, byBody.deployIds, branches))
    ? deploysOf(tx, byBody.deployIds)
    : undefined;
}

async function areNewest(
  tx: Transaction<'deploys'>,
  appId: string,
  deployIds: readonly string[],
  branches: readonly BranchChange[],
): Promise<boolean> {
  for (const { branch } of branches) {
    const newest = await tx.deploys.newestOfBranch(appId, branch);
    if (!newest || !deployIds.includes(newest.id)) return false;
  }
  return true;
}

async function deploysOf(tx: Transaction<'deploys'>, deployIds: readonly string[]): Promise<Deploy[]> {
  const found: Deploy[] = [];
  for (const id of deployIds) {
    const deploy = await tx.deploys.find(id);
    if (deploy) found.push(deploy);
  }
  return found;
}

/** Counts a push. Returns what is left of its window. @throws WEBHOOK_NOT_FOUND, KEEP_CALM */
async function spend(
  tx: Transaction<'gitWebhooks'>,
  { webhook: { appId, codeHashes }, windowMs, coalesces = false }: QueuePush,
): Promise<QueuedPush['left']> {
  const current = await tx.gitWebhooks.find(appId);
  const isSame = codeHashes.some((hash) => current && Buffer.compare(current.codeHash, hash) === 0);
  if (!current || !isSame) throw new Refusal('WEBHOOK_NOT_FOUND');
  const most = coalesces ? maxCoalescedPushes : 1;
  if (!(await tx.gitWebhooks.spendPush(appId, tx.now, windowMs, most))) {
    const waitMs = windowMs - Math.abs(tx.now - current.pushedAt!);
    throw keepCalm(waitMs, coalesces);
  }
  if (!coalesces) return { remaining: 0, resetMs: windowMs };
  const { pushes, pushedAt } = (await tx.gitWebhooks.find(appId))!;
  return { remaining: most - pushes, resetMs: windowMs - Math.abs(tx.now - pushedAt!) };
}

async function queueDeploys(
  tx: Transaction<'apps' | 'commitStatuses' | 'deploys' | 'events' | 'gitDeliveries' | 'gitWebhooks'>,
  ids: Deps['ids'],
  { webhook, push: { repository, host }, delivery, windowMs, coalesces }: QueuePush,
  branches: readonly BranchChange[],
): Promise<Deploy[]> {
  const { appId } = webhook;
  // Anybody can send an unsigned push, so it does not bind the token to an origin. The first allowed clone does.
  const origin = webhook.secret === undefined ? undefined : originOf(repository);
  if (origin !== undefined) await tx.gitWebhooks.settleTokenOrigin(appId, origin);
  const deployIds: string[] = [];
  const options = { ids, apartMs: coalesces ? windowMs : 0 };
  for (const { branch, commit, message } of branches)
    deployIds.push(await addDeploy(tx, options, { appId, branch, commit, message, repository, host }));
  for (const hash of [delivery.idHash, delivery.bodyHash])
    if (hash) await tx.gitDeliveries.put(appId, hash, { deployIds, at: tx.now });
  return deploysOf(tx, deployIds);
}
