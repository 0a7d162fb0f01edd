import type { IncomingMessage } from 'node:http';

import cors from 'cors';

import type { Middleware } from './middleware.ts';

/** The permissions of scripts on other origins. */
interface CorsPolicy {
  /** Response headers that scripts may read, besides the few that they always may. */
  readonly exposedHeaders: readonly string[];
  /** How long a browser may cache a preflight's response. Browsers have limits of their own, 2 hours or more. */
  readonly maxAgeSeconds: number;
}

/**
 * CORS for an API that any page may call. Credentials come in the `Authorization` header and never in cookies, so a
 * foreign page cannot use those of the browser, and every origin is allowed.
 *
 * Use it before everything that can reject, so that scripts can read errors too. It responds to preflights with 204 and
 * passes other OPTIONS requests on.
 *
 * @param policy `methods`: those of all routes
 */
export function apiCors(policy: CorsPolicy & { readonly methods: readonly string[] }): Middleware {
  // The library allows the requested headers by name: "*" would not cover Authorization (Fetch standard, 3.3.2).
  return anyOrigin(policy, { methods: [...policy.methods] });
}

/**
 * CORS for files that anyone with their address may read: GET and HEAD, with ranges and conditions.
 *
 * @param policy `alsoAllowed`: further request headers that scripts may send
 */
export function filesCors({
  alsoAllowed = [],
  ...policy
}: CorsPolicy & { readonly alsoAllowed?: readonly string[] }): Middleware {
  return anyOrigin(policy, {
    methods: ['GET', 'HEAD'],
    allowedHeaders: [
      'Range',
      'If-Range',
      'If-Match',
      'If-None-Match',
      'If-Modified-Since',
      'If-Unmodified-Since',
      ...alsoAllowed,
    ],
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
    if (req.method === 'OPTIONS') {
      refuseForeignNames(req);
      return isPreflight(req) ? preflight(req, res, next) : noPreflight(req, res, next);
    }
    // The same headers that the library would set, at less cost.
    res.setHeader('Access-Control-Allow-Origin', '*');
    if (exposed !== '') res.setHeader('Access-Control-Expose-Headers', exposed);
    next();
  };
}

/** The library repeats the requested names. No browser requests a name that is none. */
function refuseForeignNames(req: IncomingMessage): void {
  const requested = req.headers['access-control-request-headers'];
  if (requested !== undefined && !/^[\w!#$%&'*+.^`|~, -]*$/.test(requested))
    delete req.headers['access-control-request-headers'];
}

/** Fetch standard, section 3.3: an OPTIONS request with both of these headers. The library accepts any OPTIONS. */
function isPreflight(req: IncomingMessage): boolean {
  return req.headers.origin !== undefined && req.headers['access-control-request-method'] !== undefined;
}
