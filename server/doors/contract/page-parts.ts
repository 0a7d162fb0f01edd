import type { Express } from 'express';

import { sendingModules, sendingPath } from '#server/features/file-requests/pages/sending/modules.ts';
import { logoFile } from '#server/pages/logo.ts';
import { stylesheet } from '#server/pages/stylesheet.ts';

interface Part {
  readonly path: string;
  readonly type: string;
  readonly content: string;
  readonly cacheControl: string;
}

/** All files that pages load, besides what they show. */
export const pageParts: readonly Part[] = [
  // Its address in a page contains its version, so browsers may cache it for good.
  {
    path: '/pages.css',
    type: 'text/css; charset=utf-8',
    content: stylesheet,
    cacheControl: 'public, max-age=31536000, immutable',
  },
  { path: '/pages.svg', type: 'image/svg+xml', content: logoFile, cacheControl: 'public, max-age=86400' },
  ...sendingModules.map(({ name, source }) => ({
    path: `/${sendingPath}/${name}`,
    type: 'text/javascript; charset=utf-8',
    content: source,
    cacheControl: 'public, max-age=31536000, immutable',
  })),
];

/** Serves the stylesheet, the icon and the script of the pages. Each door with pages needs them. */
export function servePageParts(app: Express): void {
  for (const { path, type, content, cacheControl } of pageParts) {
    const bytes = Buffer.from(content);
    app.get(path, (_req, res) => {
      res.setHeader('Content-Type', type);
      res.setHeader('Cache-Control', cacheControl);
      res.setHeader('Content-Length', bytes.length);
      res.end(bytes);
    });
  }
}
