import { nextTurn } from '#server/event-loop.ts';
import { lastingS3Seed } from '../access/s3-key-pair.ts';
import { renewedStatusToken } from '#server/features/deploys/commit-status.ts';
import { renewedHook } from '#server/features/deploys/deploy-hook.ts';
import { renewedWebhook } from '#server/features/deploys/webhook.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { renewedLink } from '#server/features/file-requests/link.ts';
import { renewedShareId } from '#server/features/shares/share-id.ts';
import { renewedSecrets } from '#server/features/webhooks/webhook-secrets.ts';
import { renewedUrl } from '#server/features/webhooks/webhook-url.ts';
import { isLeaked, type MasterKeyRotation } from './rotation.ts';

interface Deps {
  readonly metadata: Metadata<
    'apiKeys' | 'commitStatuses' | 'deployHooks' | 'fileRequests' | 'gitWebhooks' | 'masterKeys' | 'shares' | 'webhooks'
  >;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

/** Rows in one transaction: decrypting and encrypting them takes some milliseconds. */
const batchRows = 200;

/**
 * Stores everything under the current master key that the server can read without a client: the ids of share links, the
 * addresses of file requests, webhooks of git with their tokens, deploy hooks, tokens for statuses, secrets and
 * addresses of webhooks, and the secrets of S3 key pairs. Returns how many rows it changed. A pass that is cut off, or
 * runs twice, does no harm. Requests go on meanwhile, with rows in either form.
 */
export async function reseal(deps: Deps, rotation: MasterKeyRotation): Promise<number> {
  const each: Each = (pages) => inBatches(deps.metadata, pages, deps.signal);
  return (
    (await resealAddresses(deps, each)) +
    (await resealDeploys(deps, each)) +
    (await resealSecrets(deps, rotation, each))
  );
}

type Each = <Row>(pages: Pages<Row>) => Promise<number>;

/** The addresses of share links and of file requests. */
async function resealAddresses({ metadata, secrets }: Deps, each: Each): Promise<number> {
  const { shares, fileRequests } = metadata.read;
  const links = await each({
    page: (after) => shares.listAfter(after, batchRows),
    idOf: ({ idHash }) => idHash,
    change: (share) => {
      const renewed = renewedShareId(secrets, share);
      return renewed && ((tx) => tx.shares.renewId(share.idHash, renewed));
    },
  });
  const pages = await each({
    page: (after) => fileRequests.listAfter(after, batchRows),
    idOf: ({ id }) => id,
    change: (request) => {
      const renewed = renewedLink(secrets, request);
      return renewed && ((tx) => tx.fileRequests.renewLink(request.id, renewed));
    },
  });
  return links + pages;
}

/** The secrets with which deploys are requested and reported. */
async function resealDeploys({ metadata, secrets }: Deps, each: Each): Promise<number> {
  const { gitWebhooks, deployHooks, commitStatuses } = metadata.read;
  const webhooks = await each({
    page: (after) => gitWebhooks.listAfter(after, batchRows),
    idOf: ({ appId }) => appId,
    change: (webhook) => {
      const renewed = renewedWebhook(secrets, webhook);
      return renewed && ((tx) => tx.gitWebhooks.renew(webhook, renewed));
    },
  });
  const hooks = await each({
    page: (after) => deployHooks.listAfter(after, batchRows),
    idOf: ({ appId }) => appId,
    change: (hook) => {
      const renewed = renewedHook(secrets, hook);
      return renewed && ((tx) => tx.deployHooks.renew(hook, renewed));
    },
  });
  const statuses = await each({
    page: (after) => commitStatuses.listAfter(after, batchRows),
    idOf: ({ appId }) => appId,
    change: (token) => {
      const renewed = renewedStatusToken(secrets, token);
      return renewed === undefined ? undefined : (tx) => tx.commitStatuses.renewToken(token, renewed);
    },
  });
  return webhooks + hooks + statuses;
}

/** The secrets of S3 key pairs, and the secrets and addresses of webhooks. */
async function resealSecrets({ metadata, secrets }: Deps, rotation: MasterKeyRotation, each: Each): Promise<number> {
  const { apiKeys, webhooks } = metadata.read;
  const pairs = await each({
    page: (after) => apiKeys.withS3After(after, batchRows),
    idOf: ({ id }) => id,
    change: (key) => {
      const seed = lastingS3Seed(secrets, key, isLeaked(rotation));
      return seed && ((tx) => tx.apiKeys.replaceS3Seed(key, seed));
    },
  });
  const sealed = await each({
    page: (after) => webhooks.listAfter(after, batchRows),
    idOf: ({ id }) => id,
    change: (webhook) => {
      const { id, formerSealed } = webhook;
      const renewed = renewedSecrets(secrets, id, webhook.sealed);
      const former = formerSealed && (renewedSecrets(secrets, id, formerSealed) ?? formerSealed);
      const url = renewedUrl(secrets, webhook);
      if (renewed === undefined && url === undefined) return undefined;
      return async (tx) => {
        if (renewed) await tx.webhooks.reseal(webhook, renewed, former);
        if (url !== undefined) await tx.webhooks.renewUrl(webhook, url);
      };
    },
  });
  return pairs + sealed;
}

type Change = (tx: Parameters<Parameters<Deps['metadata']['atomically']>[0]>[0]) => Promise<void>;

/** All rows of a table, in the order of their ids. */
interface Pages<Row> {
  readonly page: (afterId: string) => Promise<Row[]>;
  readonly idOf: (row: Row) => string;
  /** Returns what is to be written for a row; undefined for nothing. */
  readonly change: (row: Row) => Change | undefined;
}

async function inBatches<Row>(
  metadata: Deps['metadata'],
  { page, idOf, change }: Pages<Row>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    signal?.throwIfAborted();
    const rows = await page(after);
    if (rows.length === 0) return count;
    const changes = rows.map(change).filter((one) => one !== undefined);
    if (changes.length > 0)
      await metadata.atomically(async (tx) => {
        for (const one of changes) await one(tx);
      });
    count += changes.length;
    after = idOf(rows.at(-1)!);
    await nextTurn();
  }
}
