import { getCurrentDeployment, type CurrentDeployment } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';

/**
 * Reads something of an application if it is set. Otherwise returns null, without a request that fails.
 *
 * @throws {ApiError}
 */
export async function ifSet<T>(
  appId: string,
  name: 'deploy_hook' | 'commit_status',
  read: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> {
  const current: CurrentDeployment = await ask(getCurrentDeployment({ path: { app_id: appId }, signal }));
  return current[name] ? read() : null;
}
