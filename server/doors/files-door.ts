import type { ErrorRequestHandler, Express } from 'express';

import { policies } from '#generated/policies.ts';
import { deliveryRouter, type DeliveryHandlers, type Handle } from '#generated/router.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { filesCors } from '#server/http/cors.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { openDoor, type DoorDeps } from './door.ts';
import { sendRefusal } from './render.ts';
import { plainOptions, unreadable, unrouted } from './unrouted.ts';

interface Deps extends DoorDeps {
  readonly handlers: DeliveryHandlers<Call>;
  readonly handle: Handle<Call>;
}

/** A token of broken percent-encoding is refused as any other that is none: in the link's own words. */
const unreadableToken: ErrorRequestHandler = (error, req, res, next) => {
  const isLink = /^\/d\/[^/]+$/.test(req.path) && ['GET', 'HEAD'].includes(req.method);
  if (!(error instanceof URIError) || !isLink) return next(error);
  refuseRemainingBody(req, res);
  sendRefusal(res, new Refusal('LINK_NOT_FOUND'), policies.openDownloadLink.errorShape);
};

/** Temporary links `/d/…` and share links `/s/…`. */
export function filesDoor(deps: Deps): Express {
  const app = openDoor('files', deps);
  app.use(filesCors({ exposedHeaders: ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition', 'Retry-After'], maxAgeSeconds: 7200 }));
  app.use(plainOptions('files'));
  app.use(deliveryRouter(deps.handlers, deps.handle));
  app.use(unrouted('files'));
  app.use(unreadableToken);
  app.use(unreadable(deps.log));
  return app;
}
