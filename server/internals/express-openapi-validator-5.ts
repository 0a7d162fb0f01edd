/**
 * What express-openapi-validator 5.6 does not export.
 *
 * - Its class takes a contract that is loaded already. `middleware()`, the public way, loads it with a loader of its
 *   own, which compiles the schema of OpenAPI and copies the document, for each operation.
 * - Its chain of middlewares is run one by one. The first ones find the operation by compiling and trying patterns of
 *   paths. Their result is kept, so later requests run only the rest.
 * - Its own copy of Ajv, so that queries are checked by the same library and schemas.
 *
 * What would break with another version: the path of the class, the form of a loaded contract, the order of the chain,
 * and what the chain reads of a request. `test/internals/express-openapi-validator-5.test.ts` checks each.
 */
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A request as the chain reads it. It converts the values in it to their types, and writes defaults into it. */
export interface ValidatorRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  openapi?: Routed;
}

/** The operation of the contract that the chain finds for a request before it validates. */
interface Routed {
  readonly pathParams: Readonly<Record<string, string>>;
}

/** A step of the chain: a middleware of Express. */
type Middleware = (req: never, res: never, next: never) => unknown;

/** A violation, as the chain reports it. */
interface Violation {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** Returns the violations of a request, and converts its values to their types. */
type RunChain = (req: ValidatorRequest, pathParams: Readonly<Record<string, string>>) => Promise<Violation[]>;

const loadOfValidator = createRequire(import.meta.resolve('express-openapi-validator'));

/** Large parts of the validator. Each is loaded in its own turn of the event loop. */
const parts = ['ajv/dist/2020', 'ajv-draft-04', 'ajv-formats', '@apidevtools/json-schema-ref-parser', 'multer'];

/** Returns the validator's own Ajv for JSON Schema 2020-12. */
export function ajvOfValidator(): new (options: object) => { compile(schema: object): (value: unknown) => boolean } {
  return loadOfValidator('ajv/dist/2020').Ajv2020;
}

/**
 * Makes the chain for the only operation of a contract. It is compiled at the first request that it gets.
 *
 * @param apiDoc an OpenAPI document that is bundled and correct. The chain changes it.
 */
export async function operationChain(
  apiDoc: object,
  { path, method }: { readonly path: string; readonly method: string },
): Promise<RunChain> {
  for (const part of parts) {
    loadOfValidator(part);
    await nextTurn();
  }
  const { OpenApiValidator } = await import('express-openapi-validator/dist/openapi.validator.js');
  const validator = new OpenApiValidator({
    apiSpec: apiDoc as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  });
  const pathParams = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const expressRoute = path.replaceAll(/\{([^{}]+)\}/g, ':$1');
  const route = { basePath: '', expressRoute, openApiRoute: path, method: method.toUpperCase(), pathParams };
  const loaded = Promise.resolve({ apiDoc: apiDoc as never, basePaths: [''], routes: [route], serial: 1 });
  return runnerOf(validator.installMiddleware(loaded));
}

function runnerOf(chain: readonly Middleware[]): RunChain {
  let known: { readonly routed: Routed; readonly rest: readonly Middleware[] } | undefined;
  return async (req, pathParams) => {
    if (known) req.openapi = { ...known.routed, pathParams: { ...pathParams } };
    for (const [index, middleware] of (known?.rest ?? chain).entries()) {
      const error = await outcomeOf(middleware, req);
      // At the first request each middleware compiles its part, so each gets its own turn.
      if (!known) await nextTurn();
      if (!known && req.openapi) known = { routed: { ...req.openapi }, rest: chain.slice(index + 1) };
      if (!error) continue;
      const violations = (error as { errors?: Violation[] }).errors;
      if (!violations) throw error;
      return violations;
    }
    return [];
  };
}

/**
 * Returns what a middleware passes to `next`, or throws. The last middleware throws in its own frame, and the others
 * pass their error to `next`.
 */
function outcomeOf(middleware: Middleware, req: ValidatorRequest): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    Promise.resolve(middleware(req as never, {} as never, resolve as never)).catch(resolve);
  }).catch((thrown: unknown) => thrown);
}

/** The parts of a request that the chain reads. */
interface RequestParts {
  readonly method: string;
  readonly pathname: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Record<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Builds a request with the members of Express's requests that the chain reads. */
export function validatorRequest(parts: RequestParts): ValidatorRequest {
  const search = new URLSearchParams(parts.query).toString();
  const header = (name: string) => parts.headers[name.toLowerCase()];
  const request = {
    method: parts.method.toUpperCase(),
    path: parts.pathname,
    baseUrl: '',
    url: parts.pathname,
    originalUrl: search ? `${parts.pathname}?${search}` : parts.pathname,
    query: parts.query,
    params: { ...parts.pathParameters },
    headers: parts.headers,
    body: parts.body,
    app: { enabled: () => true, param: () => {} },
    get: header,
    header,
  };
  return request;
}
