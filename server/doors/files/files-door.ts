import type { RequestListener } from 'node:http';

import { routers, type Handle, type Handlers } from '#generated/router.ts';
import { routedDoor, type RoutedDoorDeps } from '#server/doors/contract/routed-door.ts';
import type { Call } from '#server/handlers/call.ts';
import { filesCors } from '#server/http/cors.ts';
import type { CountedDoorDeps } from '#server/pipeline/listener.ts';

interface Deps extends CountedDoorDeps, RoutedDoorDeps {
  readonly handlers: Partial<Handlers<Call>>;
  readonly handleOf: Handle<Call>;
}

/** What scripts of other origins may read of a response. */
export const filesExposedHeaders = [
  'X-Request-Id',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Retry-After',
  'Link',
];

/** Serves temporary links `/d/…`, share links `/s/…` and the pages of file requests `/r/…`. */
export function filesDoor({ handleOf, ...deps }: Deps): RequestListener {
  const { handlers } = deps;
  const cors = filesCors({ exposedHeaders: filesExposedHeaders, maxAgeSeconds: 7200 });
  return routedDoor('files', deps, cors, (app) =>
    app.use(routers.files.map((routerOf) => routerOf(handlers, handleOf))),
  );
}
