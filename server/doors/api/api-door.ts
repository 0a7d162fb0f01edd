import type { RequestListener } from 'node:http';

import type { Express, Request, Router } from 'express';

import { policies } from '#generated/policies.ts';
import * as router from '#generated/router.ts';
import { maxChunkedUploadBytes, minUploadBytes } from '#server/domain/limits.ts';
import { DirectRoutes } from '#server/doors/contract/direct-routes.ts';
import { routedDoor, type RoutedDoorDeps } from '#server/doors/contract/routed-door.ts';
import { uploadChecksums } from '#server/doors/contract/upload-headers.ts';
import { serveConsole, type ConsoleOptions } from '#server/doors/site/serve-console.ts';
import { serveSite } from '#server/doors/site/serve-site.ts';
import { SiteFiles, type ChangeText } from '#server/doors/site/site-files.ts';
import { sendNotBuilt } from '#server/doors/site/site-state.ts';
import type { Call } from '#server/handlers/call.ts';
import { apiCors } from '#server/http/cors.ts';
import { uploadProtocols, uploadResponseHeaders } from '#server/http/upload-protocols.ts';
import type { Middleware } from '#server/http/middleware.ts';
import { ownAddresses, type OwnAddresses } from './own-addresses.ts';
import { pagesNoting, switchedOff, type SwitchedOff } from './switched-off.ts';
import { writeContract } from './write-contract.ts';

interface Deps extends RoutedDoorDeps {
  /** Whether `/metrics` is here, and not only at the operator's door. */
  readonly hasMetrics: boolean;
  /** Operations without a handler are unknown here. */
  readonly handlers: Partial<router.Handlers<Call>>;
  readonly handleOf: router.Handle<Call>;
  /** The documentation site; undefined if it is not built. */
  readonly docsFolder: string | undefined;
  /** Undefined for a server without the console. */
  readonly console: ConsoleOptions | undefined;
  /** Replace the example addresses in the documentation and in the contract. */
  readonly addresses: OwnAddresses;
  /** Folder of `openapi.json`. */
  readonly contractFolder: string;
  /** The features that are switched off, each with its pages of the documentation. */
  readonly off: SwitchedOff['features'];
}

/** Response headers that scripts of other origins may read. */
export const exposedHeaders = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit-Requests',
  'X-RateLimit-Remaining-Requests',
  'X-RateLimit-Reset-Requests',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Tokens',
  'Location',
  'Link',
  'Allow',
  'X-Should-Retry',
  'X-Cubby-Responder',
  'X-Cubby-Ignored',
  'X-Cubby-Receipt',
  'Cache-Status',
  'Age',
  ...uploadResponseHeaders,
];

/** No page of another origin may read the operator's metrics, or the page that shows who is signed in. */
const withoutCors: ReadonlySet<string> = new Set([policies.getMetrics.path, policies.showActivationPage.path]);

/**
 * Some clients add `/v1` to the address that they are given, and others expect it in that address. So each path of the
 * AI gateway may have it, once or twice.
 */
const versionOfClients = /^\/v2\/ai(\/v1){1,2}(?=\/)/;

/** Serves `/v1`, `/v2`, the documentation and health. */
export function apiDoor(deps: Deps): RequestListener {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const cors = apiCors({ methods, exposedHeaders, maxAgeSeconds: 7200 });
  const uploads = uploadProtocols(policies.startUpload.path, {
    minBytes: minUploadBytes,
    maxBytes: maxChunkedUploadBytes,
    checksums: uploadChecksums,
  });
  const protocols: Middleware = 'startUpload' in deps.handlers ? uploads : (_req, _res, next) => next();
  const corsHere: Middleware = (req, res, next) =>
    withoutCors.has(req.url!.split('?', 1)[0]!) ? next() : protocols(req, res, () => cors(req, res, next));
  // Every operation gets the route of generated/router.ts, and most a second one that is tried before Express.
  const direct = new DirectRoutes();
  const handleOf: router.Handle<Call> = (operationId, operation) => {
    if (operationId === 'getMetrics' && !deps.hasMetrics) return (_req, _res, next) => next();
    const handler = deps.handleOf(operationId, operation);
    if (typeof handler === 'function') direct.add(operationId, handler);
    return handler;
  };
  const first: Middleware = (req, res, next) => {
    if (req.url?.startsWith('/v2/ai/v1/')) req.url = req.url.replace(versionOfClients, '/v2/ai');
    corsHere(req, res, () => {
      if (!direct.handle(req, res)) next();
    });
  };
  const off = switchedOff(deps.off, deps.handlers);
  return routedDoor('api', deps, first, (app) => {
    app.use(router.routers.api.map((routerOf): Router => routerOf(deps.handlers, handleOf)));
    serveContract(app, deps, off);
    if (deps.console) serveConsole(app, deps.console);
    if (deps.docsFolder) serveDocs(app, deps.docsFolder, both(pagesNoting(off), ownAddresses(deps.addresses)));
  });
}

function both(first: ChangeText, second: ChangeText): ChangeText {
  return (text, path) => second(first(text, path), path);
}

function serveContract(app: Express, { contractFolder, addresses }: Deps, off: SwitchedOff): void {
  // Its `servers` have one address for `/v1` and `/v2`: CUBBY_API_URL.
  const change = ownAddresses({ ...addresses, base: addresses.api });
  const written = (form: 'json' | 'yaml') => ({
    from: 'openapi.json',
    make: (json: Buffer) => writeContract({ json: json.toString(), form, off }),
  });
  const made = {
    'openapi.yaml': written('yaml'),
    ...(off.features.length > 0 && { 'openapi.json': written('json') }),
  };
  app.get(
    ['/openapi.json', '/openapi.yaml'],
    serveSite(new SiteFiles(contractFolder, { change, made }), (req) => req.path.slice(1)),
  );
  // The copies beside the documentation are built before anybody knows what is off.
  if (off.features.length > 0)
    app.get(['/docs/openapi.json', '/docs/openapi.yaml'], (req, res) =>
      res.redirect(302, req.path.slice('/docs'.length)),
    );
  app.get('/', (_req, res) => res.redirect(302, '/docs/'));
}

function serveDocs(app: Express, folder: string, change: ChangeText): void {
  const site = new SiteFiles(folder, { change });
  app.get('/docs', (_req, res) => res.redirect(302, '/docs/'));
  app.get('/docs/errors/', (_req, res) => res.redirect(301, '/docs/errors'));
  // Links to pages have no extension: /docs/upload-demo.
  const pathOf = ({ path }: Request) =>
    path.startsWith('/docs/') ? codeInUpperCase(path.slice('/docs/'.length)) : undefined;
  app.use(serveSite(site, pathOf, docsHeaders));
  // Readers who mistype an address get a page. Programs get the API's error.
  app.get('/docs/{*path}', async (req, res, next) => {
    if (req.accepts(['json', 'html']) !== 'html') return next();
    const page = await site.find('404');
    if (!page) {
      res.set({ ...docsHeaders(''), Vary: 'Accept' });
      return sendNotBuilt(res, 'The documentation', 'npm run docs', folder);
    }
    res
      .status(404)
      .set({ ...docsHeaders('404'), 'Content-Type': page.type, Vary: 'Accept' })
      .send(page.bytes);
  });
}

/** The pages of codes are named in upper case. A code in lower case leads to the same page. */
function codeInUpperCase(path: string): string {
  const [, code] = /^errors\/([a-z_]+)$/.exec(path) ?? [];
  return code === undefined ? path : `errors/${code.toUpperCase()}`;
}

/** Other sites must not frame pages that take a key. A policy in the page itself cannot forbid that. */
function docsHeaders(path: string): Readonly<Record<string, string>> {
  return /^assets\/|\.(json|yaml|md|txt|svg|js|css)$/.test(path)
    ? {}
    : { 'Content-Security-Policy': "frame-ancestors 'none'" };
}
