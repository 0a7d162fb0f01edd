import type { RequestListener } from 'node:http';

import {
  operationsRouter,
  operatorRouter,
  type Handle,
  type OperationsHandlers,
  type OperatorHandlers,
} from '#generated/router.ts';
import { routedDoor, type RoutedDoorDeps } from '#server/doors/contract/routed-door.ts';
import { serveConsole, type ConsoleOptions } from '#server/doors/site/serve-console.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { isKnownHost } from '#server/http/known-host.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import type { Middleware } from '#server/http/middleware.ts';
import { sendRefusal } from '#server/pipeline/error-response.ts';

interface Deps extends RoutedDoorDeps {
  readonly handlers: Partial<OperatorHandlers<Call> & OperationsHandlers<Call>>;
  readonly handleOf: Handle<Call>;
  /** Undefined for a server without the console. */
  readonly console: ConsoleOptions | undefined;
  /** The names of this door besides localhost and IP addresses: lower case, without ports. */
  readonly hostNames: ReadonlySet<string>;
}

/**
 * Refuses requests for other hosts. No page of another origin may read anything here, and none may make itself one of
 * this origin by a name that it points to this machine. So there is no CORS either.
 */
function onlyKnownHosts(names: ReadonlySet<string>): Middleware {
  return (req, res, next) => {
    const { host = '' } = req.headers;
    if (isKnownHost(host, names)) return next();
    refuseRemainingBody(req, res);
    sendRefusal(res, new Refusal('HOST_NOT_ALLOWED', { detail: got(host) }), 'envelope');
  };
}

/** Serves the operator's API `/v2/operator/…`, its console, health and metrics. */
export function operatorDoor({ handleOf, console: options, hostNames, ...deps }: Deps): RequestListener {
  const { handlers } = deps;
  return routedDoor('operator', deps, onlyKnownHosts(hostNames), (app) => {
    app.use(operatorRouter(handlers, handleOf), operationsRouter(handlers, handleOf));
    if (options) serveConsole(app, options);
  });
}
