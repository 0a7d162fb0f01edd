import type { Express } from 'express';

import { logoFile } from '#server/pages/logo.ts';
import type { PagePart } from '#server/pages/page-part.ts';
import { stylesheet } from '#server/pages/stylesheet.ts';

/** The files that all pages load. */
export const ofAllPages: readonly PagePart[] = [
  // Its address in a page contains its version, so browsers may cache it for good.
  {
    path: '/pages.css',
    type: 'text/css; charset=utf-8',
    content: stylesheet,
    cacheControl: 'public, max-age=31536000, immutable',
  },
  { path: '/pages.svg', type: 'image/svg+xml', content: logoFile, cacheControl: 'public, max-age=86400' },
];

/** Serves the stylesheet, the icon and the scripts of pages. Each door with pages needs them. */
export function servePageParts(app: Express, scripts: readonly PagePart[]): void {
  for (const { path, type, content, cacheControl } of [...ofAllPages, ...scripts]) {
    const bytes = Buffer.from(content);
    app.get(path, (_req, res) => {
      res.setHeader('Content-Type', type);
      res.setHeader('Cache-Control', cacheControl);
      res.setHeader('Content-Length', bytes.length);
      res.end(bytes);
    });
  }
}
