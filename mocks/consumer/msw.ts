import { http, HttpResponse, type HttpHandler } from 'msw';

import {
  operations,
  type ExampleResponse,
  type Fixtures,
  type OperationId,
  type ResponseName,
} from '#dist/modules/fixtures/index.js';

/** What a function of an override gets. */
export interface OverrideInfo {
  readonly request: Request;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** A body in place of the example's, with the status and the headers of the example `like`. */
export interface BodyOverride<Id extends OperationId> {
  /** Default: the first example. */
  readonly like?: ResponseName<Id>;
  readonly body: Fixtures[Id][keyof Fixtures[Id]];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The name of an example, a body, or a function that returns one of them, a `Response`, or nothing for the usual. */
export type Override<Id extends OperationId> =
  | ResponseName<Id>
  | BodyOverride<Id>
  | ((info: OverrideInfo) => OverrideResult<Id> | Promise<OverrideResult<Id>>);

type OverrideResult<Id extends OperationId> = ResponseName<Id> | BodyOverride<Id> | Response | undefined;

export type Overrides = { readonly [Id in OperationId]?: Override<Id> };

export interface HandlerOptions {
  /** The address of the API, without a trailing slash. Default: every host. */
  readonly baseUrl?: string;
  /** The address of links (`/d/…`, `/s/…`). Default: every host. */
  readonly filesUrl?: string;
  /** The address of public files. Without it they are not handled, because any path could be one. */
  readonly publicUrl?: string;
  /** Whether a request without `Authorization` gets ACCESS_DENIED where the operation needs a key. Default: true. */
  readonly requiresKey?: boolean;
  readonly overrides?: Overrides;
}

/** What a handler gets from MSW. */
interface Handled {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An override, whatever its operation. The exported types allow only what the operation has. */
type AnyResult = string | { readonly like?: string; readonly body: unknown; readonly headers?: Headers } | Response;
type AnyOverride = AnyResult | ((info: OverrideInfo) => AnyResult | undefined | Promise<AnyResult | undefined>);
type Headers = Readonly<Record<string, string>>;

/**
 * Returns Mock Service Worker handlers for every operation. Each sends the contract's first example, unless an override
 * says otherwise. They check no request: `npm run mock` does.
 */
export function cubbyHandlers({ overrides = {}, ...options }: HandlerOptions = {}): HttpHandler[] {
  return (Object.keys(operations) as OperationId[]).flatMap((id) => {
    const handler = handlerOf(id, overrides[id] as AnyOverride | undefined, options);
    return handler ? [handler] : [];
  });
}

/**
 * Returns a handler of one operation, for `server.use()` in a test.
 *
 * @param override the response. Default: the first example
 * @throws for `getPublicFile` without `publicUrl`
 */
export function cubbyHandler<Id extends OperationId>(
  id: Id,
  override?: Override<Id>,
  options: Omit<HandlerOptions, 'overrides'> = {},
): HttpHandler {
  const handler = handlerOf(id, override as AnyOverride | undefined, options);
  if (!handler) throw new Error(`${id} needs "publicUrl", the address of public files.`);
  return handler;
}

/** Returns the `Response` of an example. */
export function exampleResponse<Id extends OperationId>(id: Id, name: ResponseName<Id>): Response {
  return responseOf(id, name);
}

function handlerOf(
  id: OperationId,
  override: AnyOverride | undefined,
  { baseUrl = '*', filesUrl = '*', publicUrl, requiresKey = true }: Omit<HandlerOptions, 'overrides'>,
): HttpHandler | undefined {
  const { method, path, door, needsKey } = operations[id];
  const base = { api: baseUrl, files: filesUrl, public: publicUrl }[door];
  if (base === undefined) return undefined;
  const pattern = base + path.replace('{key}', '*').replace(/\{(\w+)\}/g, ':$1');
  const handle = { GET: http.get, PUT: http.put, POST: http.post, DELETE: http.delete, PATCH: http.patch }[method];
  return handle(pattern, async ({ request, params }: Handled) => {
    if (requiresKey && needsKey && !request.headers.get('authorization')) return denied(id);
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));
    const result = typeof override === 'function' ? await override({ request, params: texts }) : override;
    if (result instanceof Response) return result;
    if (result === undefined || typeof result === 'string') return responseOf(id, result);
    const { status, headers } = exampleOf(id, result.like);
    return rendered(status, { ...headers, ...result.headers }, result.body);
  });
}

function denied(id: OperationId): Response {
  return responseOf(id, 'ACCESS_DENIED' in operations[id].responses ? 'ACCESS_DENIED' : 'access_denied');
}

function responseOf(id: OperationId, name?: string): Response {
  const { status, headers, body } = exampleOf(id, name);
  return rendered(status, headers, body);
}

/** Returns an example by its name, or the first one. */
function exampleOf(id: OperationId, name: string | undefined): ExampleResponse {
  const all = operations[id].responses as unknown as Readonly<Record<string, ExampleResponse>>;
  const example = name === undefined ? Object.values(all)[0] : Object.hasOwn(all, name) ? all[name] : undefined;
  if (!example) throw new Error(`${id} has no example "${name}". It has ${Object.keys(all).join(', ')}.`);
  return example;
}

function rendered(status: number, headers: Headers, body: unknown): Response {
  const text = body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body);
  return new HttpResponse(text, { status, headers });
}
