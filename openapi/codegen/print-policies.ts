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
  const feature = schema['x-feature'];
  if (feature && !/^body\/[^/]+$/.test(at)) throw new Error(`${at}: only a field right in a body may have x-feature`);
  const isSecret = node.format === 'password' ? true : undefined;
  const own: Array<[string, Json]> =
    codes || guardedBy || feature ? [[at, { codes, guardedBy, ...rangeOf(node), feature, isSecret }]] : [];
  const parts = [...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])];
  const { propertyName, mapping = {} } = node.discriminator ?? {};
  const choices = Object.keys(mapping);
  const inParts = parts
    .flatMap((part: Json) => bodyFields(document, part, at, deeper))
    .map(([path, field]): [string, Json] => [path, path === `${at}/${propertyName}` ? { ...field, choices } : field]);
  return [
    ...own,
    ...inParts,
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
  return `${banner}import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';

const table = ${print(table)} as const satisfies Record<string, OperationPolicy>;

export type OperationId = keyof typeof table;

/** What the server enforces of each operation before its handler runs. */
export const policies: Readonly<Record<OperationId, OperationPolicy>> = table;

/** What each plan may spend at an operation. It is the operation's own, which also says what the fields are. */
export const planLimits = ${print(limits)} as const;
`;
}
