import type { Given } from '#server/compose/given.ts';
import { uploadTokensHandlers } from './handlers/upload-tokens.ts';

export function serve({ core }: Given) {
  return { handlers: () => uploadTokensHandlers(core) };
}
