import type { ErrorRequestHandler, RequestHandler } from 'express';

import { policies } from '#generated/policies.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import type { Log } from '#server/log.ts';
import { faultDetails, sendRefusal, type ErrorShape } from './render.ts';

interface Route {
  readonly pattern: RegExp;
  readonly methods: string[];
}

/** The contract's paths as patterns, each with the methods that it takes. */
function routesOf(door: string): Route[] {
  const byPath = Map.groupBy(
    Object.values(policies).filter((policy) => policy.door === door),
    ({ path }) => path,
  );
  return [...byPath].map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    methods: operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
  }));
}

/** What stands under `/v2/ai` speaks the AI gateway's shape, also where there is no route. */
function shapeOf(path: string): ErrorShape {
  return path.startsWith('/v2/ai/') ? 'ai' : 'envelope';
}

/** Answers what no route took: 405 with `Allow` where the path takes other methods, else 404. */
export function unrouted(door: string): RequestHandler {
  const routes = routesOf(door);
  return (req, res) => {
    const methods = routes.filter(({ pattern }) => pattern.test(req.path)).flatMap((route) => route.methods);
    refuseRemainingBody(req, res);
    if (methods.length === 0) return sendRefusal(res, new Refusal('NOT_FOUND'), shapeOf(req.path));
    res.setHeader('Allow', [...new Set(methods), 'OPTIONS'].join(', '));
    if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    sendRefusal(res, new Refusal('METHOD_NOT_ALLOWED'), shapeOf(req.path));
  };
}

/** Answers what Express itself could not read (a path of broken percent-encoding leads nowhere), and faults of middlewares. */
export function unreadable(log: Log): ErrorRequestHandler {
  return (error, req, res, _next) => {
    refuseRemainingBody(req, res);
    if (res.headersSent) return void req.socket.destroy();
    if (error instanceof URIError) return sendRefusal(res, new Refusal('NOT_FOUND'), shapeOf(req.path));
    log.error(faultDetails(res, error), 'fault');
    sendRefusal(res, new Refusal('INTERNAL_SERVER_ERROR'), shapeOf(req.path));
  };
}
