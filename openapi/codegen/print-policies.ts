import { mostBytes } from './body-bytes.ts';
import { banner, bodySchema, operationsOf, print, resolve, type Json, type Operation } from './document.ts';

type Codes = Record<string, string>;

/** `x-error-code` as a table from the violated keyword to the code. */
function codesAt(node: Json): Codes | undefined {
  const code = node['x-error-code'];
  if (code === undefined || typeof code === 'string') return code && { default: code };
  const { otherwise, ...byKeyword } = code;
  return { default: otherwise, ...byKeyword };
}

/** What a number may be. */
function rangeOf({ minimum, maximum, type }: Json): Json {
  const isRanged = minimum !== undefined || maximum !== undefined;
  return { minimum, maximum, isInteger: isRanged ? [type].flat().includes('integer') : undefined };
}

/** A parameter may carry its extensions itself; its schema says what its raw text must look like. */
function parameter(document: Json, raw: Json): [string, Json] {
  const spec = resolve(document, raw);
  const schema = resolve(document, spec.schema ?? {});
  return [
    spec.name,
    {
      kind:
        schema.type === 'integer' || schema.type === 'number'
          ? 'integer'
          : schema.type === 'boolean'
            ? 'boolean'
            : 'string',
      ...rangeOf(schema),
      mayBeEmpty: spec.allowEmptyValue,
      dropsControls: spec['x-control-characters'] === 'removed' ? true : undefined,
      only: spec['x-other-values'] === 'ignored' ? schema.enum : undefined,
      codes: codesAt(spec),
      guardedBy: spec['x-guarded-by'],
    },
  ];
}

/** Every field of a JSON body, or of a form, that names a code, keyed by its path: `body/destination/name`, `body/objects/*`. */
function bodyFields(document: Json, schema: Json, at: string, seen: readonly Json[]): Array<[string, Json]> {
  const node = resolve(document, schema);
  if (seen.includes(node)) return [];
  const deeper = [...seen, node];
  // A reference may have siblings: `$ref` beside `x-error-code`.
  const codes = codesAt(schema) ?? codesAt(node);
  const guardedBy = schema['x-guarded-by'] ?? node['x-guarded-by'];
  const own: Array<[string, Json]> =
    codes || guardedBy
      ? [[at, { codes, guardedBy, ...rangeOf(node), isSecret: node.format === 'password' ? true : undefined }]]
      : [];
  const parts = [...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])];
  return [
    ...own,
    ...parts.flatMap((part: Json) => bodyFields(document, part, at, deeper)),
    ...Object.entries<Json>(node.properties ?? {}).flatMap(([name, field]) =>
      bodyFields(document, field, `${at}/${name}`, deeper),
    ),
    ...(node.items ? bodyFields(document, node.items, `${at}/*`, deeper) : []),
  ];
}

/** The headers that an operation refuses, in lower case, each with its code. */
function refusedHeaders(parameters: readonly Json[]): Codes | undefined {
  const refused = parameters.filter((one) => one.in === 'header' && one['x-refused']);
  if (refused.length === 0) return undefined;
  return Object.fromEntries(refused.map((one) => [one.name.toLowerCase(), one['x-error-code']]));
}

/** The most bytes of a body that anybody may send: what its schemas can need. */
function maxBodyBytes(document: Json, spec: Json, media: readonly string[], security: readonly Json[]) {
  if (security.length > 0 || spec['x-raw-body']) return undefined;
  const read = media.filter((type) => ['application/json', 'application/x-www-form-urlencoded'].includes(type));
  if (read.length === 0) return undefined;
  return Math.max(...read.map((type) => mostBytes(document, spec.requestBody.content[type].schema)));
}

function policy(document: Json, operation: Operation): Json {
  const { spec, id } = operation;
  const parameters: Json[] = (spec.parameters ?? []).map((one: Json) => resolve(document, one));
  const inside = (where: string) =>
    Object.fromEntries(parameters.filter((one) => one.in === where).map((one) => parameter(document, one)));
  const media = Object.keys(spec.requestBody?.content ?? {});
  const body = bodySchema(spec);
  const security: Json[] = spec.security ?? document.security;
  for (const required of ['x-scopes', 'x-rate-limits'])
    if (!spec[required]) throw new Error(`${id} does not say its ${required}`);
  return {
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    door: operation.door,
    alsoDoor: operation.alsoDoor,
    errorShape: spec['x-error-shape'] ?? 'envelope',
    credentials: security.flatMap((one) => Object.keys(one)),
    uploadToken: spec['x-upload-token'] ?? null,
    uploadMetadata: spec['x-upload-metadata'],
    scopes: spec['x-scopes'],
    needsAllScopes: spec['x-all-scopes'],
    plan: spec['x-plan'] ?? null,
    rateLimits: spec['x-rate-limits'],
    countsForAccount: spec['x-account-limit'] ?? true,
    guardedBy: spec['x-guarded-by'],
    concurrency: spec['x-concurrency'] ?? null,
    bodyTypes: media,
    maxBodyBytes: maxBodyBytes(document, spec, media, security),
    bodyRequired: spec.requestBody?.required ?? false,
    needsDiskSpace: spec['x-needs-disk-space'],
    rawBody: spec['x-raw-body'],
    formParts: spec['x-form-parts'],
    refusedHeaders: refusedHeaders(parameters),
    pathFields: inside('path'),
    queryFields: inside('query'),
    bodyFields: body ? Object.fromEntries(bodyFields(document, body, 'body', [])) : {},
  };
}

/** Prints what the server enforces of each operation before its handler runs. */
export function printPolicies(document: Json): string {
  const table = Object.fromEntries(
    operationsOf(document).map((operation) => [operation.id, policy(document, operation)]),
  );
  const planned = operationsOf(document).filter(({ spec }) => spec['x-plan-limits']);
  const limits = Object.fromEntries(planned.map(({ id, spec }) => [id, spec['x-plan-limits']]));
  return `${banner}import type { ErrorCode } from './errors.ts';

export type PlanName = 'none' | 'hobby' | 'standard' | 'pro' | 'enterprise';

export interface RateLimitPolicy {
  readonly name: string;
  /** Whose requests are counted together. */
  readonly per: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Once exceeded, everything is refused for so long; without it, until the window ends. */
  readonly blockSeconds?: number;
  readonly exempt?: readonly PlanName[];
  readonly counts?: 'requests' | 'files';
  /** \`cache-miss\`: only what no cache holds counts. \`deploy\`: the operation counts it itself, with what it stores. */
  readonly on?: string;
  /** A path parameter: each of its values is counted on its own. */
  readonly each?: string;
}

/** The code of each violated JSON Schema keyword; \`default\` stands for all others. */
export type FieldCodes = { readonly default: ErrorCode; readonly [keyword: string]: ErrorCode };

export interface FieldPolicy {
  readonly codes?: FieldCodes;
  /** What a key that is restricted to prefixes is checked against. */
  readonly guardedBy?: 'prefix' | 'folder' | 'object' | 'list-prefix' | 'upload';
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of a number with a range: whether it must be whole. */
  readonly isInteger?: boolean;
  /** Its value is never repeated in an answer. */
  readonly isSecret?: boolean;
}

export interface ParameterPolicy extends FieldPolicy {
  readonly kind: 'string' | 'integer' | 'boolean';
  readonly mayBeEmpty?: boolean;
  /** Control characters are removed from it; elsewhere a NUL is refused before anything else looks. */
  readonly dropsControls?: boolean;
  /** It counts only when it is given once, as one of these; otherwise it is as if it were not there. */
  readonly only?: readonly string[];
}

export interface OperationPolicy {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly tag: string;
  readonly door: string;
  /** Another door that serves it too. */
  readonly alsoDoor?: string;
  readonly errorShape: 'envelope' | 'ai' | 'messages' | 'oauth' | 'text' | 'page' | 'git';
  readonly credentials: readonly ('apiKey' | 'keyHeader' | 'uploadToken' | 'operatorKey' | 'session' | 'consoleSession' | 'operatorSession' | 'csrfToken')[];
  /** What an upload token does here: spends a use, or goes on with what it has opened; null where it may nothing. */
  readonly uploadToken: 'spend' | 'follow' | null;
  /** Fields of the query may also come in the headers of upload protocols. */
  readonly uploadMetadata?: true;
  /** Any one of them suffices; none means that no scope is needed. */
  readonly scopes: readonly string[];
  /** All of the scopes are needed. */
  readonly needsAllScopes?: true;
  /** \`before: 'body'\`: it is asked before the body, and not after it. */
  readonly plan: { readonly minimum: PlanName; readonly code: ErrorCode; readonly before?: 'body' } | null;
  readonly rateLimits: readonly RateLimitPolicy[];
  /** Whether it counts towards the limit of all the account's requests together. */
  readonly countsForAccount: boolean;
  /** \`account\`: a key that is restricted to prefixes is always refused, because it reaches the whole account. */
  readonly guardedBy?: 'account';
  readonly concurrency: { readonly name: string; readonly limit: number; readonly code: ErrorCode } | null;
  readonly bodyTypes: readonly string[];
  /** The most bytes of a body with fields that anybody may send. Without it the limit is that of all callers. */
  readonly maxBodyBytes?: number;
  readonly bodyRequired: boolean;
  /** It stores a file or a part of one, so the disk must have room before its body is read. */
  readonly needsDiskSpace?: true;
  /** The handler reads the body itself, up to so many bytes, exactly as it was sent. */
  readonly rawBody?: { readonly maxBytes: number };
  /** The handler reads the parts of a form itself. */
  readonly formParts?: true;
  /** Headers that are refused with this code, because ignoring them could lose data. Names in lower case. */
  readonly refusedHeaders?: Readonly<Record<string, ErrorCode>>;
  readonly pathFields: Readonly<Record<string, ParameterPolicy>>;
  readonly queryFields: Readonly<Record<string, ParameterPolicy>>;
  /** Keyed by path: \`body/destination/name\`, \`body/objects/*\`. */
  readonly bodyFields: Readonly<Record<string, FieldPolicy>>;
}

const table = ${print(table)} as const satisfies Record<string, OperationPolicy>;

export type OperationId = keyof typeof table;

/** What the server enforces of each operation before its handler runs. */
export const policies: Readonly<Record<OperationId, OperationPolicy>> = table;

/** What each plan may spend at an operation. It is the operation's own, which also says what the fields are. */
export const planLimits = ${print(limits)} as const;
`;
}
