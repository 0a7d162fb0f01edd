import type { Express, Request, Response } from 'express';

import type { Content } from '#server/domain/objects/contents-table.ts';
import {
  cappedCacheControl,
  defaultCacheControl,
  queryCacheControl,
  redirectCacheControl,
  servedCacheControl,
} from '#server/domain/objects/cache-control.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { parsePublicPath, publicPath, type PublicAddress } from '#server/domain/objects/public-url.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { BlobMissing, BlobStoreUnavailable, type ByteRange } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { fileRepresentation } from '#server/handlers/file-representation.ts';
import { filesCors } from '#server/http/cors.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import type { Representation } from '#generated/router.ts';
import { noteOperation } from '#server/pipeline/access-log.ts';
import { openDoor, type CountedDoorDeps } from '#server/pipeline/listener.ts';
import { faultDetails, sendRefusal } from '#server/pipeline/render.ts';
import { sendFile } from '#server/pipeline/send-file.ts';

interface Found {
  readonly object: StoredObject;
  readonly content: Content;
}

interface Deps extends CountedDoorDeps {
  /** The address of this door as clients see it, without a trailing slash. */
  readonly publicHost: string;
  readonly clock: Clock;
  /** @throws FILE_NOT_FOUND */
  find(address: PublicAddress): Promise<Found>;
  open(content: Content, range: ByteRange | undefined): ReturnType<Representation['open']>;
}

/** Public files: `/<account_id>/<key>`, for a CDN to stand in front of. */
export function publicDoor(deps: Deps): Express {
  const app = openDoor('public', deps);
  app.use(
    filesCors({
      exposedHeaders: ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'],
      maxAgeSeconds: 7200,
    }),
  );
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
  const { path, query } = targetOf(req);
  const address = parsePublicPath(path);
  if (!address) throw new Refusal('FILE_NOT_FOUND');
  const found = await deps.find(address);
  noteOperation(res, { account: address.accountId });
  // Asked only now: what is missing or private is answered alike, however it is spelled.
  const canonical = publicPath(address);
  if (path !== canonical) return redirect(deps, res, found.object, canonical + query);
  await sendFound(deps, req, res, address, found);
}

/** @returns the query with its question mark, empty where there is none */
function targetOf({ originalUrl }: Request): { readonly path: string; readonly query: string } {
  // A fragment behind a query is nobody's: a client sends none.
  const [, path = '', query = ''] = /^([^?]*)(\?[^#]*)?/.exec(originalUrl) ?? [];
  return { path, query };
}

/** A CDN keeps every spelling of a path apart, and a purge names one. So one spelling gives the file, and the others lead to it. */
function redirect(deps: Deps, res: Response, object: StoredObject, target: string): void {
  res.setHeader('Location', deps.publicHost + target);
  res.setHeader('Cache-Control', redirectCacheControl(cacheControlOf(deps, object)));
  res.setHeader('Content-Length', '0');
  res.writeHead(301).end();
}

/** Answers with a file, or with what has taken its place since it was found. */
async function sendFound(
  deps: Deps,
  req: Request,
  res: Response,
  address: PublicAddress,
  { object, content }: Found,
): Promise<void> {
  try {
    await sendFile(deps, req, res, representationOf(deps, req, object, content));
  } catch (error) {
    if (!(error instanceof BlobMissing) || res.headersSent) throw error;
    // Deleted or replaced between the look-up and the opening; where it still is the same file, its bytes are lost.
    const current = await deps.find(address);
    if (current.content.id === content.id) throw error;
    return sendFound(deps, req, res, address, current);
  }
}

function representationOf(deps: Deps, req: Request, object: StoredObject, content: Content): Representation {
  const cacheControl = cacheControlOf(deps, object);
  return fileRepresentation(object, servingOf(object), {
    cacheControl: targetOf(req).query === '' ? cacheControl : queryCacheControl(cacheControl),
    open: (range) => deps.open(content, range),
  });
}

function cacheControlOf({ clock }: Deps, { cacheControl, expiresAt }: StoredObject): string {
  const header = cacheControl === null ? defaultCacheControl : servedCacheControl(cacheControl);
  return cappedCacheControl(header, expiresAt && expiresAt - clock.now());
}

function sendFailure(deps: Deps, req: Request, res: Response, error: unknown): void {
  if (!(error instanceof Refusal)) {
    deps.log.error({ operation: 'getPublicFile', ...faultDetails(res, error) }, 'fault');
    deps.metrics.faultLogged();
  }
  if (res.headersSent) return void req.socket.destroy();
  const isStoreFailure = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
  const refusal =
    error instanceof Refusal ? error : new Refusal(isStoreFailure ? 'STORAGE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR');
  noteOperation(res, { code: refusal.code });
  // A method that no operation has is refused as on the other doors.
  sendRefusal(res, refusal, refusal.code === 'METHOD_NOT_ALLOWED' ? 'envelope' : 'text');
}
