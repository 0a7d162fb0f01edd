import { changeOfApp, findApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Reads, Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { sealedForStatus, type StatusToken } from './commit-status.ts';

type Choice = Pick<StatusToken, 'origin' | 'host' | 'context' | 'targetUrl'> & { readonly accessToken: string };

/** Sets the token that reports the deploys of an application. @throws APP_NOT_FOUND */
export function setStatusToken(
  {
    metadata,
    secrets,
  }: { readonly metadata: Writes<'apps' | 'commitStatuses'>; readonly secrets: Pick<Secrets, 'seal'> },
  app: NamedApp,
  { accessToken, ...choice }: Choice,
): Promise<StatusToken> {
  const { appId } = app;
  return changeOfApp(metadata, app, async (tx) => {
    const sealedToken = secrets.seal(sealedForStatus, accessToken, appId);
    const token: StatusToken = { ...choice, appId, sealedToken, sentAt: null, error: null };
    // Reports for a former origin must not reach it with the new token.
    await tx.commitStatuses.removeToken(appId);
    await tx.commitStatuses.putToken(token);
    return token;
  });
}

/** Returns the settings of reports, and how the last one went. @throws APP_NOT_FOUND, COMMIT_STATUS_NOT_FOUND */
export async function findStatusToken(
  { metadata: { read } }: { readonly metadata: Reads<'apps' | 'commitStatuses'> },
  app: NamedApp,
): Promise<StatusToken> {
  await findApp(read.apps, app);
  const token = await read.commitStatuses.tokenOf(app.appId);
  if (!token) throw new Refusal('COMMIT_STATUS_NOT_FOUND');
  return token;
}

/** Removes the token with everything that is still to be reported. @throws APP_NOT_FOUND, COMMIT_STATUS_NOT_FOUND */
export function removeStatusToken(
  { metadata }: { readonly metadata: Writes<'apps' | 'commitStatuses'> },
  app: NamedApp,
): Promise<void> {
  return changeOfApp(metadata, app, async (tx) => {
    if (!(await tx.commitStatuses.removeToken(app.appId))) throw new Refusal('COMMIT_STATUS_NOT_FOUND');
  });
}
