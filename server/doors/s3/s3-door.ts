import type { Express, Request, Response } from 'express';

import { BlobMissing } from '#server/domain/ports/blobs.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { apiCors } from '#server/http/cors.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { requestId } from '#server/http/request-id.ts';
import { sendRepresentation, type Representation } from '#server/http/send-stream.ts';
import { noteOperation } from '#server/pipeline/access-log.ts';
import { openDoor } from '#server/pipeline/listener.ts';
import { faultDetails } from '#server/pipeline/render.ts';
import { admit } from './admit.ts';
import type { S3Reply } from './context.ts';
import type { S3DoorDeps } from './door-deps.ts';
import { errorXml, s3Errors, s3Failure } from './errors.ts';

/** The S3 gateway: three buckets over the files of whoever signs the request. */
export function s3Door(deps: S3DoorDeps): Express {
  const app = openDoor('s3', deps);
  const s3Host = new URL(deps.stores.s3Url).hostname;
  app.use(apiCors({ methods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'], exposedHeaders: ['*'], maxAgeSeconds: 7200 }));
  app.use(async (req, res) => {
    res.setHeader('x-amz-request-id', requestId(res));
    res.setHeader('CDN-Cache-Control', 'no-store');
    res.setHeader('Cache-Control', 'private, no-store');
    try {
      // A preflight, which nobody signs, is answered before this.
      if (req.method === 'OPTIONS')
        throw new S3Refusal('BadRequest', {
          message: 'A preflight needs the headers Origin and Access-Control-Request-Method.',
        });
      const run = await admit(deps, s3Host, req, res);
      await sendFound(deps, req, res, run);
    } catch (error) {
      sendFailure(deps, req, res, error);
    }
  });
  return app;
}

/** A file that is replaced between its look-up and its opening is looked up again; more often than this it cannot be mere chance. */
const maxTries = 3;

async function sendFound(deps: S3DoorDeps, req: Request, res: Response, run: () => Promise<S3Reply>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await sendReply(deps, req, res, await run());
    } catch (error) {
      if (!(error instanceof BlobMissing) || req.method !== 'GET' || res.headersSent || tries === maxTries) throw error;
    }
  }
}

async function sendReply(
  deps: S3DoorDeps,
  req: Request,
  res: Response,
  { status, headers = {}, xml, file, range }: S3Reply,
): Promise<void> {
  refuseRemainingBody(req, res);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (file) {
    const { bytesSent } = await sendRepresentation(req, res, file, {
      ...(range && { range }),
      rangesOnHead: true,
      writeRefusal: (code) => sendError(req, res, code === 412 ? failedCondition(req) : outside(req, file)),
    });
    noteOperation(res, { bytes: bytesSent });
    return deps.metrics.bytesSent(bytesSent);
  }
  res.statusCode = status;
  if (xml === undefined) return void res.end();
  sendXml(res, xml);
}

/** `If-Unmodified-Since` is asked only where there is no `If-Match` (RFC 9110 section 13.2.2). */
function failedCondition({ headers }: Request): S3Refusal {
  return new S3Refusal('PreconditionFailed', {
    details: { Condition: headers['if-match'] === undefined ? 'If-Unmodified-Since' : 'If-Match' },
  });
}

function outside(req: Request, { sizeBytes }: Representation): S3Refusal {
  return new S3Refusal('InvalidRange', {
    details: { RangeRequested: req.headers.range ?? '', ActualObjectSize: String(sizeBytes) },
  });
}

function sendXml(res: Response, xml: string): void {
  const bytes = Buffer.from(xml);
  res.setHeader('Content-Type', 'application/xml');
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

function sendFailure(deps: S3DoorDeps, req: Request, res: Response, error: unknown): void {
  const { refusal, fault } = s3Failure(error);
  // Nobody is there to be answered, and going away is no fault.
  if (fault !== undefined && req.socket.destroyed) return noteOperation(res, { outcome: 'aborted' });
  if (fault !== undefined) {
    deps.log.error({ operation: 's3', ...faultDetails(res, fault) }, 'fault');
    deps.metrics.faultLogged();
  }
  if (res.headersSent) return void req.socket.destroy();
  refuseRemainingBody(req, res);
  res.statusCode = s3Errors[refusal.code].status;
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  sendError(req, res, refusal);
}

/** Status and headers of a 412 or 416 are set already. */
function sendError(req: Request, res: Response, refusal: S3Refusal): void {
  noteOperation(res, { code: refusal.code });
  res.statusCode = s3Errors[refusal.code].status;
  if (req.method === 'HEAD') return void res.end();
  sendXml(res, errorXml(refusal, { resource: req.path, requestId: requestId(res) }));
}
