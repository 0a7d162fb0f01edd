import type { RequestListener } from 'node:http';

import express, { type Express } from 'express';

import type { ErrorForm } from '#server/handlers/error-form.ts';
import type { Middleware } from '#server/http/middleware.ts';
import type { PagePart } from '#server/pages/page-part.ts';
import { openDoor, type CountedDoorDeps, type DoorDeps } from '#server/pipeline/listener.ts';
import { servePageParts } from './page-parts.ts';
import { readablePath } from './readable-path.ts';
import { plainOptions, unreadable, unrouted } from './unrouted.ts';

/** What a door needs whose routes the contract names. */
export interface RoutedDoorDeps extends DoorDeps {
  /** By operation. One without a handler is unknown here. */
  readonly handlers: object;
  readonly errorForms: readonly ErrorForm[];
  /** Scripts of pages. */
  readonly pageScripts: readonly PagePart[];
}

/**
 * Opens a door whose routes the contract names, in generated/router.ts. Express adds nothing of its own to responses:
 * no banner, no ETag, no query parsing.
 *
 * @param first used before anything that can refuse, such as CORS
 * @param addRoutes adds the door's routes. A request that none of them takes is refused
 */
export function routedDoor(
  door: string,
  deps: RoutedDoorDeps | (RoutedDoorDeps & CountedDoorDeps),
  first: Middleware,
  addRoutes: (app: Express) => void,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  servePageParts(app, deps.pageScripts);
  app.use(readablePath());
  app.use(plainOptions(door, deps));
  addRoutes(app);
  app.use(unrouted(door, deps));
  app.use(unreadable(deps));
  return openDoor(door, deps, (req, res) => first(req, res, () => app(req, res)));
}
