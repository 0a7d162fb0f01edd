import { Failure, type Stores } from '#server/cli/operator.ts';
import type { App } from '../app.ts';

/**
 * Checks that an application exists.
 *
 * @throws {Failure} if it does not
 */
export async function requireApp({ metadata }: Pick<Stores, 'metadata'>, appId: string): Promise<App> {
  const app = await metadata.read.apps.find(appId);
  if (app) return app;
  throw new Failure(`There is no application ${appId}. "cubby app list --account ID" shows those of an account.`);
}
