import { changeOfApp, findApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Reads, Writes } from '#server/domain/ports/metadata.ts';
import { noFilters, type DeployFilters } from './deploy-filters.ts';

/** Returns which pushes of an application are deployed. @throws APP_NOT_FOUND */
export async function readFilters(
  { metadata: { read } }: { readonly metadata: Reads<'apps' | 'deploys'> },
  app: NamedApp,
): Promise<DeployFilters> {
  await findApp(read.apps, app);
  return (await read.deploys.filtersOf(app.appId)) ?? noFilters;
}

/** Replaces the filters of an application. The next push obeys them. @throws APP_NOT_FOUND */
export function setFilters(
  { metadata }: { readonly metadata: Writes<'apps' | 'deploys'> },
  app: NamedApp,
  filters: DeployFilters,
): Promise<void> {
  const isEmpty = Object.values(filters).every((globs) => globs.length === 0);
  return changeOfApp(metadata, app, (tx) => tx.deploys.setFilters(app.appId, isEmpty ? null : filters));
}
