import type { Given } from '#server/compose/given.ts';
import type { Ports, Served } from '#server/compose/served.ts';
import { settingsAccountHandlers } from './handlers/account.ts';

export function serve({ core }: Given) {
  return {
    handlers: (_ports: Ports, served: readonly Served[]) =>
      settingsAccountHandlers(
        core,
        served.flatMap(({ settingsPart = [] }) => settingsPart),
      ),
  };
}
