import type { Given } from '#server/compose/given.ts';
import { apiPart } from './handlers/api-part.ts';
import { deviceHandlers } from './handlers/device.ts';

export function serve({ urls, core, limits, noteUse }: Given) {
  const deps = { ...core, activationUrl: `${urls.api}/activate`, failures: limits, noteUse };
  return {
    apiPart,
    handlers: () => deviceHandlers(deps),
  };
}
