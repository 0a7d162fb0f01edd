import type { AppsHandlers } from '#generated/router.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { success } from '#server/handlers/wire.ts';
import { appView } from './app-view.ts';

/** Returns the handler of the applications themselves. */
export function appsHandlers({ metadata }: Pick<Ports, 'metadata'>) {
  return {
    async listApps(_input, { caller }) {
      const { account, key } = caller;
      const apps = await metadata.read.apps.listOf(account.id);
      return success({ apps: apps.filter(({ id }) => key.resources?.includes(id) ?? true).map(appView) });
    },
  } satisfies Partial<AppsHandlers<Call>>;
}
