import type { Express } from 'express';

import { deliveryRouter, type DeliveryHandlers, type Handle } from '#generated/router.ts';
import type { Call } from '#server/handlers/call.ts';
import { filesCors } from '#server/http/cors.ts';
import { openDoor, type CountedDoorDeps } from '#server/pipeline/listener.ts';
import { servePageParts } from '#server/doors/contract/page-parts.ts';
import { readablePath } from '#server/doors/contract/readable-path.ts';
import { plainOptions, unreadable, unrouted } from '#server/doors/contract/unrouted.ts';

interface Deps extends CountedDoorDeps {
  readonly handlers: DeliveryHandlers<Call>;
  readonly handle: Handle<Call>;
}

/** Temporary links `/d/…` and share links `/s/…`. */
export function filesDoor(deps: Deps): Express {
  const app = openDoor('files', deps);
  app.use(
    filesCors({
      exposedHeaders: ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition', 'Retry-After'],
      maxAgeSeconds: 7200,
    }),
  );
  servePageParts(app);
  app.use(readablePath());
  app.use(plainOptions('files'));
  app.use(deliveryRouter(deps.handlers, deps.handle));
  app.use(unrouted('files'));
  app.use(unreadable(deps.log));
  return app;
}
