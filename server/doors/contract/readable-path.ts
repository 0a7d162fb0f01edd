import type { RequestHandler } from 'express';

import { malformedValue } from '#server/http/query.ts';

/**
 * Lets requests whose path holds broken percent-encoding reach their operation. Express alone would refuse them at
 * once.
 *
 * Such a segment is read as {@link malformedValue}, so the check of its parameter refuses it with that parameter's
 * code. Use it before the routers.
 */
export function readablePath(): RequestHandler {
  return (req, _res, next) => {
    const [path = '', ...query] = req.url.split(/(?=\?)/);
    if (path.includes('%')) req.url = [path.split('/').map(readable).join('/'), ...query].join('');
    next();
  };
}

function readable(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return encodeURIComponent(malformedValue);
  }
}
