import type { RequestHandler } from 'express';

import { malformedValue } from '#server/http/query.ts';

/**
 * Lets requests whose path holds broken percent-encoding reach their operation, where Express would refuse them without
 * looking further: such a segment is read as {@link malformedValue}, so that it is refused in its turn and in its
 * parameter's own words. To be used before the routers.
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
