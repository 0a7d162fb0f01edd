import type { Express, Request, Response } from 'express';

import type { Content } from '#server/domain/objects/contents-table.ts';
import { defaultCacheControl, servedCacheControl } from '#server/domain/objects/cache-control.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { BlobMissing, BlobStoreUnavailable, type ByteRange } from '#server/domain/ports/blobs.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';
import { filesCors } from '#server/http/cors.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { sendRepresentation, type Representation } from '#server/http/send-stream.ts';
import { noteOperation } from './access-log.ts';
import { openDoor, type DoorDeps } from './door.ts';
import { faultDetails, sendRefusal } from './render.ts';

interface Address {
  readonly accountId: string;
  readonly key: string;
}

interface Found {
  readonly object: StoredObject;
  readonly content: Content;
}

interface Deps extends DoorDeps {
  /** @throws FILE_NOT_FOUND */
  find(address: Address): Promise<Found>;
  open(content: Content, range: ByteRange | undefined): ReturnType<Representation['open']>;
}

/**
 * User content must never run as a page: a document is sandboxed, without script, forms or anything from elsewhere.
 * Styles are for the browser's own viewers of images and text.
 */
const documentPolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Public files: `/<account_id>/<key>`, for a CDN to stand in front of. */
export function publicDoor(deps: Deps): Express {
  const app = openDoor('public', deps);
  app.use(filesCors({ exposedHeaders: ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'], maxAgeSeconds: 7200 }));
  app.use(async (req, res) => {
    noteOperation(res, { operation: 'getPublicFile', template: '/{account_id}/{key}' });
    try {
      await sendPublicFile(deps, req, res);
    } catch (error) {
      sendFailure(deps, req, res, error);
    }
  });
  return app;
}

async function sendPublicFile(deps: Deps, req: Request, res: Response): Promise<void> {
  refuseRemainingBody(req, res);
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.setHeader('Allow', 'GET, HEAD, OPTIONS');
    if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    throw new Refusal('METHOD_NOT_ALLOWED');
  }
  const address = addressOf(req.path);
  const found = await deps.find(address);
  noteOperation(res, { account: address.accountId });
  const bytesSent = await sendFound(deps, req, res, address, found);
  noteOperation(res, { bytes: bytesSent });
  deps.metrics.bytesSent(bytesSent);
}

/** Answers with a file, or with what has taken its place since it was found. */
async function sendFound(deps: Deps, req: Request, res: Response, address: Address, { object, content }: Found): Promise<number> {
  try {
    const { bytesSent } = await sendRepresentation(req, res, representationOf(deps, object, content), {
      writeRefusal: (status) => sendRefusal(res, new Refusal(status === 412 ? 'PRECONDITION_FAILED' : 'RANGE_NOT_SATISFIABLE'), 'text'),
    });
    return bytesSent;
  } catch (error) {
    if (!(error instanceof BlobMissing) || res.headersSent) throw error;
    // Deleted or replaced between the look-up and the opening; where it still is the same file, its bytes are lost.
    const current = await deps.find(address);
    if (current.content.id === content.id) throw error;
    return sendFound(deps, req, res, address, current);
  }
}

/** @throws FILE_NOT_FOUND when the path could name no file */
function addressOf(path: string): Address {
  const [, accountId, key] = /^\/([0-9]{18})\/(.+)$/.exec(path) ?? [];
  if (accountId === undefined || key === undefined) throw new Refusal('FILE_NOT_FOUND');
  try {
    return { accountId, key: decodeURIComponent(key) };
  } catch {
    throw new Refusal('FILE_NOT_FOUND');
  }
}

function representationOf(deps: Deps, object: StoredObject, content: Content): Representation {
  const { contentType, disposition, filename } = servingOf(object);
  return {
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    lastModifiedMs: object.createdAt,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': object.cacheControl === null ? defaultCacheControl : servedCacheControl(object.cacheControl),
      'Content-Security-Policy': documentPolicy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(disposition && { 'Content-Disposition': cleanDisposition(disposition, filename) }),
    },
    open: (range) => deps.open(content, range),
  };
}

function sendFailure(deps: Deps, req: Request, res: Response, error: unknown): void {
  if (!(error instanceof Refusal)) {
    deps.log.error({ operation: 'getPublicFile', ...faultDetails(res, error) }, 'fault');
    deps.metrics.faultLogged();
  }
  if (res.headersSent) return void req.socket.destroy();
  const isStoreFailure = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
  const refusal = error instanceof Refusal ? error : new Refusal(isStoreFailure ? 'STORAGE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR');
  noteOperation(res, { code: refusal.code });
  // A method that no operation has is refused as on the other doors.
  sendRefusal(res, refusal, refusal.code === 'METHOD_NOT_ALLOWED' ? 'envelope' : 'text');
}
