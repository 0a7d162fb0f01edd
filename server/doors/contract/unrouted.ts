import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import type { ErrorShape } from '#generated/errors.ts';
import { policies } from '#generated/policies.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { logFault } from '#server/pipeline/access-log.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';
import type { DoorDeps } from '#server/pipeline/listener.ts';
import { hasCode, sendRefusal } from '#server/pipeline/error-response.ts';
import { contextOf } from '#server/pipeline/request-context.ts';

interface Unrouted {
  /** By operation. The path of one without a handler is unknown. */
  readonly handlers: object;
  readonly errorForms: readonly ErrorForm[];
}

interface Route {
  readonly pattern: RegExp;
  readonly methods: string[];
}

/** Returns the paths of a door as patterns, each with the methods that it takes. */
function routesOf(door: string, handlers: object): Route[] {
  const own = Object.entries(policies)
    .filter(([id, policy]) => id in handlers && (policy.door === door || policy.alsoDoor === door))
    .map(([, policy]) => policy);
  const byPath = Map.groupBy(own, ({ path }) => path);
  return [...byPath].map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^{}]+\}/g, '[^/]+')}$`),
    methods: operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
  }));
}

type Code = 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INTERNAL_SERVER_ERROR';

/**
 * Sends a refusal in the format of the path: that of a feature below its path, even without a route. All other paths
 * have `usual`. It is `page` where people follow links, because a link that was cut short ends up here.
 */
function refuse(
  req: Request,
  res: Response,
  code: Code,
  forms: readonly ErrorForm[],
  usual: ErrorShape = 'envelope',
): void {
  const own = forms.find(({ path }) => path !== undefined && isWithin(path, req.path));
  const shape = own?.shape ?? usual;
  // The AI gateway writes the same codes in lower case.
  const written = hasCode(shape, code) ? code : (code.toLowerCase() as Lowercase<Code>);
  sendRefusal(res, new Refusal(written), shape, forms);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Responds to requests that no route took: 405 with `Allow` if the path takes other methods, otherwise 404. */
export function unrouted(door: string, { handlers, errorForms }: Unrouted): RequestHandler {
  const routes = routesOf(door, handlers);
  return (req, res) => {
    const methods = routes.filter(({ pattern }) => pattern.test(req.path)).flatMap((route) => route.methods);
    refuseRemainingBody(req, res);
    if (methods.length === 0) return refuse(req, res, 'NOT_FOUND', errorForms, door === 'files' ? 'page' : 'envelope');
    res.setHeader('Allow', [...new Set(methods), 'OPTIONS'].join(', '));
    if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    refuse(req, res, 'METHOD_NOT_ALLOWED', errorForms);
  };
}

/**
 * Responds to OPTIONS as `unrouted()` does. Use it before the routers, which would respond with a text of their own.
 */
export function plainOptions(door: string, deps: Unrouted): RequestHandler {
  const answer = unrouted(door, deps);
  return (req, res, next) => (req.method === 'OPTIONS' ? answer(req, res, next) : next());
}

/** Responds to errors that are thrown outside the operations with 500, and logs them. */
export function unreadable(
  deps: Pick<DoorDeps, 'log' | 'metrics'> & Pick<Unrouted, 'errorForms'>,
): ErrorRequestHandler {
  return (error, req, res, _next) => {
    logFault(deps, contextOf(res), error);
    if (res.headersSent) return void req.socket.destroy();
    refuseRemainingBody(req, res);
    refuse(req, res, 'INTERNAL_SERVER_ERROR', deps.errorForms);
  };
}
