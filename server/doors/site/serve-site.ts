import type { Request, RequestHandler, Response } from 'express';

import { encodingFor } from '#server/http/compressed.ts';
import type { ByteRange } from '#server/http/range.ts';
import { sendRepresentation } from '#server/http/send-representation.ts';
import { sendUnmet } from '#server/pipeline/error-response.ts';
import type { SiteFile, SiteFiles } from './site-files.ts';

/** Returns the additional headers of a file. */
type ExtraHeaders = (path: string) => Readonly<Record<string, string>>;

/**
 * Serves the files of a site, compressed if the client accepts it, with conditions and ranges. Browsers may cache files
 * that are named after their content for a year. They revalidate all others each time.
 *
 * @param pathOf returns the path within the site; undefined for requests outside the site
 */
export function serveSite(
  files: SiteFiles,
  pathOf: (req: Request) => string | undefined,
  extra: ExtraHeaders = () => ({}),
): RequestHandler {
  return async (req, res, next) => {
    const path = req.method === 'GET' || req.method === 'HEAD' ? pathOf(req) : undefined;
    const file = path === undefined ? undefined : await files.find(path);
    if (path === undefined || !file) return next();
    await sendSiteFile(req, res, file, extra(path));
  };
}

async function sendSiteFile(
  req: Request,
  res: Response,
  file: SiteFile,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  // A range always refers to the uncompressed bytes, so that a download can be continued.
  const encoding = req.headers.range === undefined ? encodingFor(req) : undefined;
  const packed = encoding && (await file.encoded(encoding));
  const bytes = packed ?? file.bytes;
  const headers = {
    'Content-Type': file.type,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(packed && { 'Content-Encoding': encoding! }),
    ...extra,
  };
  // Each encoding needs an ETag of its own (RFC 9110, section 8.8.3.3).
  const etag = packed ? `${file.hash}-${encoding}` : file.hash;
  const open = async (range?: ByteRange) => (range ? bytes.subarray(range.start, range.end + 1) : bytes);
  await sendRepresentation(
    req,
    res,
    { sizeBytes: bytes.length, etag, lastModifiedMs: file.lastModifiedMs, headers, open },
    { writeRefusal: (status) => sendUnmet(res, status) },
  );
}
