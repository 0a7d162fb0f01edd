import { findApp } from '#server/features/apps/find-app.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { formatCursor, parseCursor } from '#server/domain/sequence-cursor.ts';
import type { Deploy } from './deploy.ts';

interface Deps {
  readonly metadata: Reads<'apps' | 'deploys'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListDeploys {
  readonly accountId: string;
  readonly appId: string;
  /** Deploys on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface DeployPage {
  readonly deploys: readonly Deploy[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * Returns one page of an application's deploys, newest first.
 *
 * @throws APP_NOT_FOUND, INVALID_CONTINUATION_TOKEN
 */
export async function listDeploys(
  { metadata, secrets }: Deps,
  { accountId, appId, limit, cursor }: ListDeploys,
): Promise<DeployPage> {
  await findApp(metadata.read.apps, { appId, accountId });
  const list = { purpose: 'deploys-cursor', ownerId: appId } as const;
  const before = cursor === undefined ? undefined : parseCursor(secrets, list, cursor);
  // One more than the limit, to know whether another page follows.
  const found = await metadata.read.deploys.listOf({
    appId,
    limit: limit + 1,
    ...(before !== undefined && { before }),
  });
  const deploys = found.slice(0, limit);
  return {
    deploys,
    next: found.length > limit ? formatCursor(secrets, list, deploys.at(-1)!.sequence) : undefined,
  };
}
