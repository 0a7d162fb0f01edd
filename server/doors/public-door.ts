import type { Express, Request, Response } from 'express';

import type { Content } from '#server/domain/objects/contents-table.ts';
import { defaultCacheControl, servedCacheControl } from '#server/domain/objects/cache-control.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { BlobMissing, BlobStoreUnavailable, type ByteRange } from '#server/domain/ports/blobs.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { fileRepresentation } from '#server/handlers/file-representation.ts';
import { filesCors } from '#server/http/cors.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import type { Representation } from '#generated/router.ts';
import { noteOperation } from './access-log.ts';
import { openDoor, type CountedDoorDeps } from './door.ts';
import { faultDetails, sendRefusal } from './render.ts';
import { sendFile } from './send-file.ts';

interface Address {
  readonly accountId: string;
  readonly key: string;
}

interface Found {
  readonly object: StoredObject;
  readonly content: Content;
}

interface Deps extends CountedDoorDeps {
  /** @throws FILE_NOT_FOUND */
  find(address: Address): Promise<Found>;
  open(content: Content, range: ByteRange | undefined): ReturnType<Representation['open']>;
}

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
  await sendFound(deps, req, res, address, found);
}

/** Answers with a file, or with what has taken its place since it was found. */
async function sendFound(deps: Deps, req: Request, res: Response, address: Address, { object, content }: Found): Promise<void> {
  try {
    await sendFile(deps, req, res, representationOf(deps, object, content));
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
  return fileRepresentation(object, servingOf(object), {
    cacheControl: object.cacheControl === null ? defaultCacheControl : servedCacheControl(object.cacheControl),
    open: (range) => deps.open(content, range),
  });
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
