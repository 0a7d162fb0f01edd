import type { PagePart } from '#server/pages/page-part.ts';
import { sendingModules, sendingPath } from './modules.ts';

/** The script that sends files. */
export const pageScripts: readonly PagePart[] = sendingModules.map(({ name, source }) => ({
  path: `/${sendingPath}/${name}`,
  type: 'text/javascript; charset=utf-8',
  content: source,
  cacheControl: 'public, max-age=31536000, immutable',
}));
