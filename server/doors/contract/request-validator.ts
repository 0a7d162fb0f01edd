/**
 * Checks a request against the contract with express-openapi-validator, and converts its values to their types.
 *
 * The validator is a chain of Express middlewares. It gets a request that is built here from checked raw values only,
 * for two reasons:
 * - It coerces generously (`1e3`, ` 7 `, an array of one), so `checkRaw()` checks the raw text first.
 * - It writes types and defaults into its request. None of that may leak into the real one.
 *
 * Each operation has its own validator, which is made at the operation's first request. That takes some milliseconds. A
 * single validator for all operations takes half a second, and tries the paths of all at each request.
 *
 * A validator reads its operation in a form of its own (`documentOf()`): without responses and examples, and with every
 * form as JSON.
 */
import { createRequire } from 'node:module';
import { parse } from 'node:url';

import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { ErrorCode } from '#generated/errors.ts';
import type { FieldPolicy, OperationId, OperationPolicy, ParameterPolicy } from '#generated/policies.ts';
import { maxListPrefixBytes } from '#server/domain/limits.ts';
import { nextTurn } from '#server/event-loop.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import { malformedValue, type RawQuery } from '#server/http/query.ts';
import { fieldDetails, parameterDetails, type Finding } from './field-messages.ts';
import { takesFields } from './request-body.ts';

/** A validated request. Query values have their types, and the body matches the contract. */
export interface ValidInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface RawInput {
  readonly pathname: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  /** Parsed JSON, or the fields of a form. Undefined where the operation takes neither. */
  readonly body: unknown;
}

type Json = Record<string, any>;

type OpenApiProbe = Request & { openapi?: Routed };

/**
 * Returns one operation of the contract for its validator, with the schemas and parameters that it refers to. Forms are
 * objects to the validator, as JSON is. Other bodies are left out, because they are streamed without validation.
 */
function documentOf(contract: Json, { path, method }: OperationPolicy): Json {
  const { openapi, info, servers } = contract;
  const { parameters = [], requestBody, 'x-raw-body': isRaw } = contract.paths[path][method];
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = requestBody?.content ?? {};
  const fields = isRaw ? undefined : (json ?? form);
  const operation: Json = { parameters, responses: {} };
  const components: Json = {};
  if (fields) {
    addReferred(contract, fields.schema, components);
    // The reference is resolved here, because the validator would compile the schema to do it.
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(fields.schema.$ref) ?? [];
    const schema = name === undefined ? fields.schema : components.schemas[name];
    operation.requestBody = { ...requestBody, content: { 'application/json': { schema } } };
  }
  addReferred(contract, parameters, components);
  // A copy, because the validator changes the document, and operations share schemas.
  return structuredClone({ openapi, info, servers, paths: { [path]: { [method]: operation } }, components });
}

/** Adds to `components` all that a part of the contract refers to with `$ref`, directly or through other components. */
function addReferred(contract: Json, part: unknown, components: Json): void {
  if (typeof part !== 'object' || part === null) return;
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(String((part as Json).$ref)) ?? [];
  if (kind !== undefined && name !== undefined && components[kind]?.[name] === undefined) {
    (components[kind] ??= {})[name] = contract.components[kind][name];
    addReferred(contract, components[kind][name], components);
  }
  for (const inner of Object.values(part)) addReferred(contract, inner, components);
}

/** The operation of the contract that the validator finds for a request before it validates. */
interface Routed {
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Returns the violations of a request, and converts its values to their types. */
type Validate = (probe: OpenApiProbe, pathParams: RawInput['pathParameters']) => Promise<Finding[]>;

/** The validators of the contract's operations. */
export class RequestValidator {
  readonly #readContract: () => Promise<Json>;
  readonly #validators = new Map<OperationId, Promise<Validate>>();
  readonly #queryValidators = new Map<OperationId, ValidateQuery>();
  /**
   * Ends when the last validator is made. Validators are made one after the other, each in its own turn of the event
   * loop.
   */
  #last: Promise<unknown> = Promise.resolve();

  /** @param readContract called for each operation, at its first request */
  constructor(readContract: () => Promise<Json>) {
    this.#readContract = readContract;
  }

  /**
   * Checks a request against the contract and converts its values to their types.
   *
   * @throws the code that the contract names for the first violation
   */
  async validate(operationId: OperationId, policy: OperationPolicy, raw: RawInput): Promise<ValidInput> {
    const { values: query, refused } = rawValues(policy.queryFields, raw.query);
    for (const [name, value] of Object.entries(raw.pathParameters)) {
      const field = policy.pathFields[name];
      if (field) checkPath(field, value);
    }
    const validQuery = refused ? undefined : this.#queryValidators.get(operationId)?.(query);
    if (validQuery) return { path: {}, query: validQuery, body: undefined };
    const probe = probeOf(policy, raw, query);
    const validate = needsValidation(policy) ? await this.#validatorOf(operationId, policy) : () => [];
    const found = await validate(probe, raw.pathParameters);
    const findings = refused ? found.filter(({ path }) => refused.earlier.has(path)) : found;
    if (findings.length > 0) {
      const first = firstOf(policy, findings);
      const prefix = rulePrefixAt(first.path, probe.body);
      const code = codeOf(operationId, policy, first);
      throw new Refusal(code, {
        ...detailsOf(code, policy, describedBy(first, findings), raw),
        ...(prefix !== undefined && { prefix }),
      });
    }
    if (refused) throw refused.refusal;
    return { path: probe.params, query: probe.query as Json, body: probe.body };
  }

  #validatorOf(id: OperationId, policy: OperationPolicy): Promise<Validate> {
    const known = this.#validators.get(id);
    if (known) return known;
    const made = this.#last.then(() => this.#make(id, policy));
    this.#last = made.catch(() => this.#validators.delete(id));
    this.#validators.set(id, made);
    return made;
  }

  async #make(id: OperationId, policy: OperationPolicy): Promise<Validate> {
    const { OpenApiValidator } = await loadValidator();
    const apiDoc = documentOf(await this.#readContract(), policy);
    const queryValidator = queryValidatorOf(apiDoc, policy);
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
    if (queryValidator) this.#queryValidators.set(id, queryValidator);
    return validate;
  }
}

/** Returns the values with their types and the defaults, or undefined when one is invalid. */
type ValidateQuery = (query: Readonly<Record<string, string>>) => Json | undefined;

/**
 * Returns a validator for an operation that has nothing but a query. It has the library, the options and the schemas of
 * the chain, which takes 30 µs longer, because it interprets the parameters anew for each request. An invalid query
 * goes through the chain, which reports what is wrong.
 */
function queryValidatorOf(contract: Json, policy: OperationPolicy): ValidateQuery | undefined {
  if (policy.path.includes('{') || takesFields(policy)) return undefined;
  const parameters: Json[] = contract.paths[policy.path][policy.method].parameters.map(({ $ref, ...given }: Json) =>
    $ref ? contract.components.parameters[$ref.split('/').at(-1)] : given,
  );
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const validate = new (loadOfValidator('ajv/dist/2020').Ajv2020)({
    strict: false,
    coerceTypes: true,
    useDefaults: true,
  }).compile({
    type: 'object',
    properties: Object.fromEntries(queried.map(({ name, schema }) => [name, schema])),
    required: queried.filter(({ required }) => required).map(({ name }) => name),
    // The schemas refer to these.
    components: structuredClone(contract.components),
  });
  return (query) => {
    const values = { ...query };
    return validate(values) ? values : undefined;
  };
}

/** Whether a request has anything to validate. The validator is loaded only for operations that have. */
function needsValidation(policy: OperationPolicy): boolean {
  return policy.path.includes('{') || Object.keys(policy.queryFields).length > 0 || takesFields(policy);
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
const loadOfValidator = createRequire(import.meta.resolve('express-openapi-validator'));

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

/**
 * The refusal of the first query field whose raw text is refused, and the validator's paths of the fields before it.
 */
interface RefusedField {
  readonly refusal: Refusal;
  readonly earlier: ReadonlySet<string>;
}

/**
 * Returns the declared query parameters, each given once and as text of the right form. A parameter with `only` is left
 * out when it has another value. Stops at the first refused one, because the validator may refuse one before it.
 */
function rawValues(
  fields: OperationPolicy['queryFields'],
  query: RawQuery,
): { readonly values: Record<string, string>; readonly refused?: RefusedField } {
  const values: Record<string, string> = {};
  const earlier = new Set<string>();
  for (const [name, field] of Object.entries(fields)) {
    const given = query.get(name);
    const isIgnored = field.only !== undefined && !(given?.length === 1 && field.only.includes(given[0]!));
    try {
      if (given && !isIgnored) values[name] = checkRaw(name, field, given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { values, refused: { refusal: error, earlier } };
    }
    earlier.add(`/query/${name}`);
  }
  return { values };
}

/**
 * Checks the raw text of a parameter, because the validator coerces generously (`1e3`, ` 7 `, an array of one). Returns
 * the text in the form that the validator takes for booleans.
 */
function checkRaw(name: string, field: ParameterPolicy, values: readonly string[]): string {
  const refuse = (fault: Parameters<typeof parameterDetails>[4]) => {
    const code = field.codes?.default ?? 'INVALID_BODY';
    return new Refusal(code, parameterDetails(code, name, field, values, fault));
  };
  const [value] = values;
  if (values.length !== 1 || value === undefined) throw refuse('repeated');
  if (value === '' && !field.mayBeEmpty) throw refuse('empty');
  if (value === malformedValue || (value.includes('\u0000') && !field.dropsControls)) throw refuse('not-text');
  if (field.kind === 'integer') {
    const number = /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : NaN;
    const { minimum = -Infinity, maximum = Infinity } = field;
    if (!(number >= minimum && number <= maximum)) throw refuse('value');
  }
  if (field.kind === 'boolean') {
    if (value === 'true' || value === '1') return 'true';
    if (value === 'false' || value === '0') return 'false';
    throw refuse('value');
  }
  return value;
}

/** Checks a path parameter. A path that cannot be read gets the same response as one that leads nowhere. */
function checkPath(field: ParameterPolicy, value: string): void {
  try {
    checkRaw('path', field, [value]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code);
  }
}

/** Builds the request for the validator, which converts its values and writes defaults into it. */
function probeOf(policy: OperationPolicy, raw: Omit<RawInput, 'query'>, query: Record<string, string>): OpenApiProbe {
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

/**
 * Returns the contract's policy for the field at a path. For a body field without codes, returns the policy of the
 * closest field around it that has them.
 */
function fieldAt(policy: OperationPolicy, path: string): FieldPolicy | undefined {
  const [, where, ...steps] = path.split('/');
  if (where === 'query') return policy.queryFields[steps[0] ?? ''];
  if (where === 'params') return policy.pathFields[steps[0] ?? ''];
  if (where !== 'body') return undefined;
  const generic = steps.map((step) => (/^[0-9]+$/.test(step) ? '*' : step));
  for (let length = generic.length; length >= 0; length--) {
    const field = policy.bodyFields[['body', ...generic.slice(0, length)].join('/')];
    if (field?.codes) return field;
  }
  return undefined;
}

/**
 * Returns the details of a refusal. A path parameter has none, because every path that leads nowhere gets the same
 * response. A page shows the code's standard message, and programs get the specific words as its detail.
 */
function detailsOf(code: ErrorCode, policy: OperationPolicy, finding: Finding, raw: RawInput): RefusalDetails {
  if (finding.path.startsWith('/params/')) return {};
  const { message, ...details } = fieldDetails(
    code,
    finding,
    fieldAt(policy, finding.path),
    valueAt(finding.path, raw),
  );
  if (message === undefined) return details;
  return policy.errorShape === 'page' ? { detail: message } : { message };
}

/** Returns the value at a path of a request, as it was sent. */
function valueAt(path: string, { pathParameters, query, body }: RawInput): unknown {
  const [, where, ...steps] = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (where === 'query') return query.get(steps[0] ?? '')?.[0];
  if (where === 'params') return pathParameters[steps[0] ?? ''];
  let value: unknown = body;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/**
 * Returns the first violation: query parameters in the contract's order, then path parameters, then the body from the
 * outside in.
 */
function firstOf(policy: OperationPolicy, findings: readonly Finding[]): Finding {
  const order = [...Object.keys(policy.queryFields).map((name) => `/query/${name}`)];
  const rank = ({ path }: Finding) =>
    order.includes(path) ? order.indexOf(path) : path.startsWith('/body') ? 1000 + path.split('/').length : 500;
  return findings.toSorted((a, b) => rank(a) - rank(b))[0]!;
}

/**
 * Returns the violation to describe. If a value fits none of several forms, what one form misses would mislead:
 * - A word that no form knows is described.
 * - A word that one form knows shows which form was meant, so its other violation is described.
 * - Otherwise the value itself is described.
 */
function describedBy(first: Finding, findings: readonly Finding[]): Finding {
  const choice = findings.find(
    ({ path, errorCode }) => path === first.path && /^(oneOf|anyOf)\./.test(errorCode ?? ''),
  );
  if (!choice) return first;
  const below = findings.filter(({ path }) => path.startsWith(`${first.path}/`));
  const words = below.filter(({ errorCode }) => errorCode?.startsWith('enum.'));
  const [word] = words;
  if (!word) return choice;
  const isKnown = below.filter(({ path }) => path === word.path).length === 1;
  const fault = isKnown ? below.find(({ errorCode }) => !/^(enum|const)\./.test(errorCode ?? '')) : undefined;
  return fault ?? anyOf(words.filter(({ path }) => path === word.path));
}

/** Returns one violation that lists the words of several forms, because any of them would do. */
function anyOf(words: readonly Finding[]): Finding {
  const start = 'must be equal to one of the allowed values: ';
  return { ...words[0]!, message: start + words.map(({ message }) => message.slice(start.length)).join(', ') };
}

function codeOf(operationId: OperationId, policy: OperationPolicy, first: Finding): ErrorCode {
  const codes = fieldAt(policy, first.path)?.codes;
  if (!codes) {
    if (first.path.startsWith('/body')) return 'INVALID_BODY';
    throw new Error(`The contract names no code for ${first.path} of ${operationId}: ${first.message}`);
  }
  const keyword = first.errorCode?.split('.')[0];
  return (keyword && codes[keyword]) || codes.default;
}

/** Returns the prefix of the rule that an error is about. Undefined if the prefix is not text or is too long. */
function rulePrefixAt(path: string, body: unknown): string | undefined {
  const [, index] = /^\/body\/rules\/([0-9]+)\//.exec(path) ?? [];
  if (index === undefined) return undefined;
  const { prefix } = (body as { readonly rules: ReadonlyArray<{ readonly prefix?: unknown }> }).rules[Number(index)]!;
  if (typeof prefix !== 'string' || prefix.length > maxListPrefixBytes) return undefined;
  return path.endsWith('/prefix') || prefix.endsWith('/') ? prefix : `${prefix}/`;
}
