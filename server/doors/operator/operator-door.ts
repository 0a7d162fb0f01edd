import type { RequestListener } from 'node:http';

import {
  operationsRouter,
  operatorRouter,
  type Handle,
  type OperationsHandlers,
  type OperatorHandlers,
} from '#generated/router.ts';
import { routedDoor } from '#server/doors/contract/routed-door.ts';
import { serveConsole, type ConsoleOptions } from '#server/doors/site/serve-console.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Middleware } from '#server/http/middleware.ts';
import type { DoorDeps } from '#server/pipeline/listener.ts';

interface Deps extends DoorDeps {
  readonly handlers: { readonly operator: OperatorHandlers<Call>; readonly operations: OperationsHandlers<Call> };
  readonly handleOf: Handle<Call>;
  /** Undefined for a server without the console. */
  readonly console: ConsoleOptions | undefined;
}

/** No page of another origin may read anything here. */
const withoutCors: Middleware = (_req, _res, next) => next();

/** Serves the operator's API `/v2/operator/…`, its console, health and metrics. */
export function operatorDoor({ handlers, handleOf, console: options, ...deps }: Deps): RequestListener {
  return routedDoor('operator', deps, withoutCors, (app) => {
    app.use(operatorRouter(handlers.operator, handleOf), operationsRouter(handlers.operations, handleOf));
    if (options) serveConsole(app, options);
  });
}
