import { findApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Page, PageRequest } from '#server/domain/page.ts';
import { sequencePage } from '#server/domain/sequence-page.ts';
import type { Deploy } from './deploy.ts';

interface Deps {
  readonly metadata: Reads<'apps' | 'deploys'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

/**
 * Returns one page of an application's deploys, newest first.
 *
 * @throws APP_NOT_FOUND, INVALID_CONTINUATION_TOKEN
 */
export async function listDeploys(
  { metadata: { read }, secrets }: Deps,
  { accountId, appId, ...page }: NamedApp & PageRequest,
): Promise<Page<Deploy>> {
  await findApp(read.apps, { appId, accountId });
  return sequencePage(secrets, { purpose: 'deploys-cursor', ownerId: appId }, page, (before, limit) =>
    read.deploys.listOf({ appId, before, limit }),
  );
}
