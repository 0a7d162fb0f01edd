import type { RequestHandler } from 'express';

import { stylesheet } from '#server/pages/stylesheet.ts';

/** Where each door that has pages serves their stylesheet. */
export const stylesheetPath = '/pages.css';

/** Sends the stylesheet. Pages name it with its version, so it may be kept for good. */
export function sendStylesheet(): RequestHandler {
  const bytes = Buffer.from(stylesheet);
  return (_req, res) => {
    res.setHeader('Content-Type', 'text/css; charset=utf-8');
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    res.setHeader('Content-Length', bytes.length);
    res.end(bytes);
  };
}
