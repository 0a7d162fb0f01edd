import type { Given } from '#server/compose/given.ts';
import { keptDaysSettings } from './handlers/settings.ts';
import { trashHandlers } from './handlers/trash.ts';

export function serve({ core }: Given) {
  return { handlers: () => trashHandlers(core), settingsPart: keptDaysSettings };
}
