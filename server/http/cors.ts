import type { IncomingMessage } from 'node:http';

import cors from 'cors';

import type { Middleware } from './middleware.ts';

/** What scripts on other origins may do. */
export interface CorsPolicy {
  /** Response headers that scripts may read, besides the few that they always may. */
  readonly exposedHeaders: readonly string[];
  /** How long a browser may remember a preflight's answer; browsers have limits of their own, 2 hours at the least. */
  readonly maxAgeSeconds: number;
}

/**
 * CORS for an API that is called from any page, with its credentials in the `Authorization` header and none in
 * cookies: there is nothing that a foreign page could borrow, so every origin is allowed.
 *
 * To be used before anything that can refuse, so that error answers are readable as well. Preflights are answered here,
 * with 204; an OPTIONS request that is no preflight is passed on.
 *
 * @param policy `methods`: all that any route has
 */
export function apiCors(policy: CorsPolicy & { readonly methods: readonly string[] }): Middleware {
  // The header names asked for are given back: "*" would not stand for Authorization (Fetch standard, section 3.3.2).
  return anyOrigin(policy, { methods: [...policy.methods] });
}

/** CORS for files that anyone with their address may read: GET and HEAD, parts and revalidation. */
export function filesCors(policy: CorsPolicy): Middleware {
  return anyOrigin(policy, {
    methods: ['GET', 'HEAD'],
    allowedHeaders: ['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  });
}

function anyOrigin(policy: CorsPolicy, methods: cors.CorsOptions): Middleware {
  const options: cors.CorsOptions = {
    ...methods,
    origin: '*',
    exposedHeaders: [...policy.exposedHeaders],
    maxAge: policy.maxAgeSeconds,
    optionsSuccessStatus: 204,
  };
  const preflight = cors({ ...options, preflightContinue: false });
  const noPreflight = cors({ ...options, preflightContinue: true });
  const exposed = policy.exposedHeaders.join(',');
  return (req, res, next) => {
    if (req.method === 'OPTIONS') return isPreflight(req) ? preflight(req, res, next) : noPreflight(req, res, next);
    // What the library sets for these, without its way there.
    res.setHeader('Access-Control-Allow-Origin', '*');
    if (exposed !== '') res.setHeader('Access-Control-Expose-Headers', exposed);
    next();
  };
}

/**
 * Fetch standard, section 3.3: an OPTIONS request with both of these headers. The library takes any OPTIONS for one.
 */
function isPreflight(req: IncomingMessage): boolean {
  return req.headers.origin !== undefined && req.headers['access-control-request-method'] !== undefined;
}
