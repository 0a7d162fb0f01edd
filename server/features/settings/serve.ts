import type { Given } from '#server/compose/given.ts';
import { settingsAccountHandlers } from './handlers/account.ts';

export function serve({ core }: Given) {
  return { handlers: () => settingsAccountHandlers(core) };
}
