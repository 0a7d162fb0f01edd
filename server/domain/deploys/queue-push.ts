import { maxPushedBranches } from '../limits.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { shortId } from '../short-id.ts';
import { afterEvent, type Deploy } from './deploy.ts';
import type { FoundWebhook } from './find-webhook.ts';
import { originOf, type BranchChange, type GitPush } from './push.ts';
import { queueUnavailable } from './queue-unavailable.ts';

interface Deps {
  readonly metadata: Writes<'deploys' | 'gitDeliveries' | 'gitWebhooks'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

export interface QueuePush {
  readonly webhook: Pick<FoundWebhook, 'appId' | 'codeHash' | 'secret'>;
  readonly push: Pick<GitPush, 'host' | 'repository'>;
  /** One at least. Of two of the same branch the last counts. */
  readonly branches: readonly BranchChange[];
  /** What a redelivery is known by. */
  readonly delivery: {
    /** Of the id that the host gave it; undefined when it gave none that tells a retry from a new push. */
    readonly idHash: Uint8Array | undefined;
    readonly bodyHash: Uint8Array;
    /** Whether its bytes may say that it came before. Where they may not, the id decides alone. */
    readonly isKnownByBody: boolean;
    /** Whether its bytes say from where, or when, the branches were moved, so that they alone show a redelivery. */
    readonly tellsBefore: boolean;
  };
  /** One push of a webhook in each window. */
  readonly windowMs: number;
}

export interface QueuedPush {
  /** In the order of the branches. */
  readonly deploys: readonly Deploy[];
  /** Whether the delivery came for the first time, and so was counted. */
  readonly isNew: boolean;
}

/**
 * Queues a deploy for each branch, in the place of those of the same branches that wait, and answers them once they
 * would survive a power cut. A delivery that was taken before is answered with the deploys that it made then, and makes
 * none.
 *
 * @throws WEBHOOK_NOT_FOUND when it was removed meanwhile
 * @throws INVALID_PAYLOAD when there are more branches than one push may deploy
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
    const before = await taken(tx, request, branches);
    return before
      ? { deploys: before, isNew: false }
      : { deploys: await queued(tx, ids, request, branches), isNew: true };
  });
  return queuing.catch(queueUnavailable);
}

/** The deploys of the same delivery, when it came before. */
async function taken(
  tx: Transaction<'deploys' | 'gitDeliveries'>,
  { webhook: { appId }, delivery: { idHash, bodyHash, isKnownByBody, tellsBefore } }: QueuePush,
  branches: readonly BranchChange[],
): Promise<Deploy[] | undefined> {
  const byId = idHash && (await tx.gitDeliveries.find(appId, idHash));
  if (byId) {
    const deploys = await deploysOf(tx, byId.deployIds);
    // A sender that repeats its ids loses no push: other commits are another one.
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
  // In words that do not say from where, a branch that was moved back and forth is pushed in the same ones again, and
  // that deploys again.
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

async function queued(
  tx: Transaction<'deploys' | 'gitDeliveries' | 'gitWebhooks'>,
  ids: Deps['ids'],
  { webhook, push, delivery, windowMs }: QueuePush,
  branches: readonly BranchChange[],
): Promise<Deploy[]> {
  const { appId } = webhook;
  const current = await tx.gitWebhooks.find(appId);
  if (!current || Buffer.compare(current.codeHash, webhook.codeHash) !== 0) throw new Refusal('WEBHOOK_NOT_FOUND');
  if (!(await tx.gitWebhooks.spendPush(appId, tx.now, windowMs))) {
    const waitMs = windowMs - Math.abs(tx.now - current.pushedAt!);
    throw new Refusal('KEEP_CALM', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  // Without a signature anybody could say where the token belongs: then the first clone that the runner allows does.
  const origin = webhook.secret === undefined ? undefined : originOf(push.repository);
  if (origin !== undefined) await tx.gitWebhooks.settleTokenOrigin(appId, origin);
  const deployIds: string[] = [];
  for (const { branch, commit, message } of branches) {
    const waiting = await tx.deploys.waiting(appId, branch);
    if (waiting) await tx.deploys.change(waiting, afterEvent(waiting, 'overtaken', {}, tx.now));
    const id = shortId(ids, 'dep');
    await tx.deploys.add({
      id,
      appId,
      state: 'pending',
      branch,
      commit,
      message,
      repository: push.repository,
      host: push.host,
      createdAt: tx.now,
      updatedAt: tx.now,
      tries: 0,
      dueAt: tx.now,
      lease: null,
    });
    deployIds.push(id);
  }
  for (const hash of [delivery.idHash, delivery.bodyHash])
    if (hash) await tx.gitDeliveries.put(appId, hash, { deployIds, at: tx.now });
  return deploysOf(tx, deployIds);
}
