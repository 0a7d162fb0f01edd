import type { RequestListener } from 'node:http';

import { deliveryRouter, type DeliveryHandlers, type Handle } from '#generated/router.ts';
import { routedDoor } from '#server/doors/contract/routed-door.ts';
import type { Call } from '#server/handlers/call.ts';
import { filesCors } from '#server/http/cors.ts';
import type { CountedDoorDeps } from '#server/pipeline/listener.ts';

interface Deps extends CountedDoorDeps {
  readonly handlers: DeliveryHandlers<Call>;
  readonly handleOf: Handle<Call>;
}

const exposedHeaders = [
  'X-Request-Id',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Retry-After',
  'Link',
];

/** Serves temporary links `/d/…` and share links `/s/…`. */
export function filesDoor({ handlers, handleOf, ...deps }: Deps): RequestListener {
  const cors = filesCors({ exposedHeaders, maxAgeSeconds: 7200 });
  return routedDoor('files', deps, cors, (app) => app.use(deliveryRouter(handlers, handleOf)));
}
