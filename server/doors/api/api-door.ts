import type { RequestListener } from 'node:http';

import type { Express, Request, Router } from 'express';

import { policies } from '#generated/policies.ts';
import * as router from '#generated/router.ts';
import { DirectRoutes } from '#server/doors/contract/direct-routes.ts';
import { routedDoor, type RoutedDoorDeps } from '#server/doors/contract/routed-door.ts';
import { serveConsole, type ConsoleOptions } from '#server/doors/site/serve-console.ts';
import { serveSite } from '#server/doors/site/serve-site.ts';
import { SiteFiles, type ChangeText } from '#server/doors/site/site-files.ts';
import { sendNotBuilt } from '#server/doors/site/site-state.ts';
import type { ApiPart } from '#server/handlers/api-part.ts';
import type { Call } from '#server/handlers/call.ts';
import { apiCors } from '#server/http/cors.ts';
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
  /** What features add. */
  readonly parts: readonly ApiPart[];
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

/** Response headers that scripts of other origins may read, besides those of features. */
const commonHeaders = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Location',
  'Link',
  'Allow',
  'X-Should-Retry',
  'X-Cubby-Receipt',
];

/** Serves `/v1`, `/v2`, the documentation and health. */
export function apiDoor(deps: Deps): RequestListener {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const exposedHeaders = [...commonHeaders, ...deps.parts.flatMap((part) => part.exposedHeaders ?? [])];
  const cors = apiCors({ methods, exposedHeaders, maxAgeSeconds: 7200 });
  // No page of another origin may read the operator's metrics.
  const withoutCors = new Set<string>([
    policies.getMetrics.path,
    ...deps.parts.flatMap((part) => part.withoutCors ?? []),
  ]);
  const corsHere: Middleware = (req, res, next) =>
    withoutCors.has(req.url!.split('?', 1)[0]!) ? next() : cors(req, res, next);
  const preparing = deps.parts.filter((part) => part.prepare !== undefined);
  // Every operation gets the route of generated/router.ts, and most a second one that is tried before Express.
  const direct = new DirectRoutes();
  const handleOf: router.Handle<Call> = (operationId, operation) => {
    if (operationId === 'getMetrics' && !deps.hasMetrics) return (_req, _res, next) => next();
    const handler = deps.handleOf(operationId, operation);
    if (typeof handler === 'function') direct.add(operationId, handler);
    return handler;
  };
  const first: Middleware = (req, res, next) => {
    for (const part of preparing) part.prepare!(req, res);
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
