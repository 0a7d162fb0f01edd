import type { ServerResponse } from 'node:http';

import express, { type Express } from 'express';

import * as router from '#generated/router.ts';
import type { Call } from '#server/handlers/call.ts';
import { apiCors } from '#server/http/cors.ts';
import { openDoor, type DoorDeps } from './door.ts';
import { servePageParts } from './page-parts.ts';
import { readablePath } from './readable-path.ts';
import { plainOptions, unreadable, unrouted } from './unrouted.ts';

/** The handlers of every tag of the storage and the general API. */
export interface ApiHandlers {
  readonly objects: router.ObjectsHandlers<Call>;
  readonly chunked: router.ChunkedHandlers<Call>;
  readonly uploadTokens: router.UploadTokensHandlers<Call>;
  readonly shares: router.SharesHandlers<Call>;
  readonly account: router.AccountHandlers<Call>;
  readonly s3: router.S3Handlers<Call>;
  readonly chat: router.ChatHandlers<Call>;
  readonly apps: router.AppsHandlers<Call>;
  readonly device: router.DeviceHandlers<Call>;
  readonly operations: router.OperationsHandlers<Call>;
}

interface Deps extends DoorDeps {
  readonly handlers: ApiHandlers;
  readonly handle: router.Handle<Call>;
  /** The documentation site, or undefined where it is not built. */
  readonly docsFolder: string | undefined;
  /** Where `openapi.json` and `openapi.yaml` lie. */
  readonly contractFolder: string;
}

/** What scripts of other origins may read of an answer. */
export const exposedHeaders = ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Location', 'Allow', 'X-Should-Retry', 'X-Cubby-Responder'];

/** `/v1`, `/v2`, the documentation, health and metrics. */
export function apiDoor(deps: Deps): Express {
  const { handlers, handle } = deps;
  const app = openDoor('api', deps);
  app.use(apiCors({ methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders, maxAgeSeconds: 7200 }));
  servePageParts(app);
  app.use(readablePath());
  app.use(plainOptions('api'));
  app.use(
    // First, because every request is tried with the routes of all before its own, and these have the least time.
    router.chatRouter(handlers.chat, handle),
    router.objectsRouter(handlers.objects, handle),
    router.chunkedRouter(handlers.chunked, handle),
    router.uploadTokensRouter(handlers.uploadTokens, handle),
    router.sharesRouter(handlers.shares, handle),
    router.accountRouter(handlers.account, handle),
    router.s3Router(handlers.s3, handle),
    router.appsRouter(handlers.apps, handle),
    router.deviceRouter(handlers.device, handle),
    router.operationsRouter(handlers.operations, handle),
  );
  for (const file of ['openapi.json', 'openapi.yaml']) {
    app.get(`/${file}`, (_req, res) => res.sendFile(file, { root: deps.contractFolder, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } }));
  }
  app.get('/', (_req, res) => res.redirect(302, '/docs/'));
  if (deps.docsFolder) {
    app.get('/docs', (_req, res) => res.redirect(302, '/docs/'));
    // Pages are asked for without their ending: /docs/upload-demo.
    app.use('/docs', express.static(deps.docsFolder, { extensions: ['html'], redirect: false, cacheControl: false, setHeaders: docsHeaders }));
  }
  app.use(unrouted('api'));
  app.use(unreadable(deps.log));
  return app;
}

/** Nobody may lay the page that takes a key under a page of their own; a policy in the page itself cannot say that. */
function docsHeaders(res: ServerResponse, path: string): void {
  res.setHeader('Cache-Control', 'no-cache');
  if (path.endsWith('upload-demo.html')) res.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
}
