import type { Request, RequestHandler, Response } from 'express';

import { encodingFor } from '#server/http/compressed.ts';
import { sendRepresentation } from '#server/http/send-stream.ts';
import { sendUnmet } from '#server/pipeline/render.ts';
import type { SiteFile, SiteFiles } from './site-files.ts';

/** Headers that a file has beside those of all. */
export type ExtraHeaders = (path: string) => Readonly<Record<string, string>>;

/**
 * Serves the files of a site, compressed where the client takes it, with conditions and ranges. What is named after its
 * content may be kept for a year; everything else is asked for again each time, and answered 304 while it is the same.
 *
 * @param pathOf the path within the site; undefined for what is none of it
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
  // A range is one of the bytes as they are: whoever goes on with a download has begun it so.
  const encoding = req.headers.range === undefined ? encodingFor(req) : undefined;
  const packed = encoding && (await file.encoded(encoding));
  const bytes = packed ?? file.bytes;
  const headers = {
    'Content-Type': file.type,
    'Cache-Control': file.isLasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(packed && { 'Content-Encoding': encoding! }),
    ...extra,
  };
  // "[It] changes whenever [the] representation data changes": so does the encoding (RFC 9110, section 8.8.3.3).
  const etag = packed ? `${file.hash}-${encoding}` : file.hash;
  const open = async (range?: { readonly start: number; readonly end: number }) =>
    range ? bytes.subarray(range.start, range.end + 1) : bytes;
  await sendRepresentation(
    req,
    res,
    { sizeBytes: bytes.length, etag, lastModifiedMs: file.lastModifiedMs, headers, open },
    { writeRefusal: (status) => sendUnmet(res, status) },
  );
}
