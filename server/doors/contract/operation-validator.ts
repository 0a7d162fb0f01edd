/**
 * express-openapi-validator for one operation. It is a chain of Express middlewares. It gets a request that is built
 * here from checked raw values only, for two reasons:
 * - It coerces generously (`1e3`, ` 7 `, an array of one), so the raw text is checked first.
 * - It writes types and defaults into its request. None of that may leak into the real one.
 */
import { createRequire } from 'node:module';
import { parse } from 'node:url';

import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { nextTurn } from '#server/event-loop.ts';
import type { Finding } from './field-messages.ts';
import type { Json } from './operation-document.ts';
import type { RawInput } from './raw-values.ts';
import { takesFields } from './request-body.ts';

type OpenApiProbe = Request & { openapi?: Routed };

/** The operation of the contract that the validator finds for a request before it validates. */
interface Routed {
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Returns the violations of a request, and converts its values to their types. */
export type Validate = (probe: OpenApiProbe, pathParams: RawInput['pathParameters']) => Promise<Finding[]>;

/**
 * Makes the validator of an operation. That takes some milliseconds, in several turns of the event loop.
 *
 * @param apiDoc the operation's part of the contract, from `documentOf()`. The validator changes it.
 */
export async function operationValidator(apiDoc: Json, policy: OperationPolicy): Promise<Validate> {
  const { OpenApiValidator } = await loadValidator();
  const validator = new OpenApiValidator({
    apiSpec: apiDoc as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  });
  // Its own loader would compile the schema of OpenAPI for each operation, and look for other files.
  const { path, method } = policy;
  const pathParams = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const expressRoute = path.replaceAll(/\{([^{}]+)\}/g, ':$1');
  const route = { basePath: '', expressRoute, openApiRoute: path, method: method.toUpperCase(), pathParams };
  const loaded = Promise.resolve({ apiDoc: apiDoc as never, basePaths: [''], routes: [route], serial: 1 });
  const chain: RequestHandler[] = validator.installMiddleware(loaded);
  const validate = validatorOf(chain);
  // This empty request compiles the validator and lets it find its operation. Whether it is refused does not matter.
  const pathname = policy.path.replace(/\{[^{}]+\}/g, 'x');
  await validate(probeOf(policy, { pathname, pathParameters: {}, body: undefined }, {}), {});
  await nextTurn();
  return validate;
}

/**
 * Returns the function that runs the validator's chain on a request.
 *
 * The first middlewares of the chain find the operation by compiling and trying path patterns. The operation is known,
 * so their result is kept after the first request. Later requests run only the rest of the chain.
 */
function validatorOf(chain: readonly RequestHandler[]): Validate {
  let known: { readonly routed: Routed; readonly rest: readonly RequestHandler[] } | undefined;
  return async (probe, pathParams) => {
    if (known) probe.openapi = { ...known.routed, pathParams: { ...pathParams } };
    for (const [index, middleware] of (known?.rest ?? chain).entries()) {
      const error = await outcomeOf(middleware, probe);
      // At the first request each middleware compiles its part, so each gets its own turn.
      if (!known) await nextTurn();
      if (!known && probe.openapi) known = { routed: { ...probe.openapi }, rest: chain.slice(index + 1) };
      if (!error) continue;
      const findings = (error as { errors?: Finding[] }).errors;
      if (!findings) throw error;
      return findings;
    }
    return [];
  };
}

/** Loads a package as express-openapi-validator does. */
export const loadOfValidator = createRequire(import.meta.resolve('express-openapi-validator'));

/** Loads express-openapi-validator, each large part in its own turn of the event loop. */
async function loadValidator(): Promise<typeof import('express-openapi-validator/dist/openapi.validator.js')> {
  warnOfUrlParse();
  for (const part of validatorParts) {
    loadOfValidator(part);
    await nextTurn();
  }
  return import('express-openapi-validator/dist/openapi.validator.js');
}

const validatorParts = [
  'ajv/dist/2020',
  'ajv-draft-04',
  'ajv-formats',
  '@apidevtools/json-schema-ref-parser',
  'multer',
];

/**
 * Lets Node warn of `url.parse()` once, unheard, because a later call is then faster.
 *
 * The validator calls it for each request. Node warns of it once, but never for packages. So it would look through the
 * stack at each call of the validator, which costs 20 µs per request.
 */
function warnOfUrlParse(): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  parse('/');
  process.noDeprecation = noDeprecation ?? false;
}

/**
 * Returns what a middleware passes to `next`, or throws. The last middleware throws in its own frame, and the others
 * pass their error to `next`.
 */
function outcomeOf(middleware: RequestHandler, probe: OpenApiProbe): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    Promise.resolve(middleware(probe, {} as Response, resolve as NextFunction)).catch(resolve);
  }).catch((thrown: unknown) => thrown);
}

/** Builds the request for the validator, which converts its values and writes defaults into it. */
export function probeOf(
  policy: OperationPolicy,
  raw: Omit<RawInput, 'query'>,
  query: Record<string, string>,
): OpenApiProbe {
  const search = new URLSearchParams(query).toString();
  const probe = {
    method: policy.method.toUpperCase(),
    path: raw.pathname,
    baseUrl: '',
    url: raw.pathname,
    originalUrl: search ? `${raw.pathname}?${search}` : raw.pathname,
    query,
    params: { ...raw.pathParameters },
    headers: takesFields(policy) ? { 'content-type': 'application/json' } : {},
    body: raw.body,
    app: { enabled: () => true, param: () => {} },
    get(name: string) {
      return (probe.headers as Record<string, string>)[name.toLowerCase()];
    },
    header(name: string) {
      return probe.get(name);
    },
  };
  return probe as unknown as OpenApiProbe;
}
