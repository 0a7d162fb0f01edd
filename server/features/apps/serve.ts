import type { Given } from '#server/compose/given.ts';
import { appsHandlers } from './handlers/apps.ts';
import { appsOperatorHandlers } from './handlers/operator.ts';

export function serve({ core }: Given) {
  return { handlers: () => ({ ...appsHandlers(core), ...appsOperatorHandlers(core) }) };
}
