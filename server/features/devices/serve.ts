import type { Given } from '#server/compose/given.ts';
import { deviceHandlers } from './handlers/device.ts';

export function serve({ urls, core, limits, noteUse }: Given) {
  const deps = { ...core, activationUrl: `${urls.api}/activate`, failures: limits, noteUse };
  return { handlers: () => deviceHandlers(deps) };
}
