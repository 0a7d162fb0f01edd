import { resolve, type Json, type Operation } from '../codegen/document.ts';

/** A valid request, in the parts that curl and fetch need. */
export interface SampleRequest {
  readonly method: string;
  /** Path with parameters and query: `/v1/objects/info?object=pub/…`. */
  readonly target: string;
  /** Whether the operation needs a credential. */
  readonly isAuthenticated: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of each used parameter by name, not encoded. */
  readonly values: Readonly<Record<string, string>>;
  /** Absent without a body. `file` means bytes, alone or as the one part of a multipart form. */
  readonly body?: { readonly type: string; readonly value: unknown };
}

/** Returns the schema's first example, or else the smallest valid value. */
function sampleOf(document: Json, schema: Json): unknown {
  const node: Json = { ...resolve(document, schema), ...schema };
  if (node.examples?.length) return node.examples[0];
  for (const word of ['example', 'const', 'default']) if (word in node) return node[word];
  if (node.enum) return node.enum[0];
  const choice = node.oneOf?.[0] ?? node.anyOf?.[0];
  if (choice && !node.properties) return sampleOf(document, choice);
  if (node.allOf) return Object.assign({}, ...node.allOf.map((part: Json) => sampleOf(document, part)));
  switch ([node.type].flat()[0]) {
    case 'object':
      return sampleObject(document, node);
    case 'array':
      return Array.from({ length: Math.max(1, node.minItems ?? 0) }, () => sampleOf(document, node.items ?? {}));
    case 'integer':
    case 'number':
      return node.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return node.format === 'date-time' ? '2026-04-21T09:30:00.000Z' : 'example'.padEnd(node.minLength ?? 0, 'x');
  }
}

function sampleObject(document: Json, node: Json): Json {
  const names: string[] = [...(node.required ?? []), ...(choiceOf(node).required ?? [])];
  const all = Object.keys(node.properties ?? {});
  const shown = names.length === 0 && node.minProperties ? all.slice(0, node.minProperties) : names;
  return Object.fromEntries(shown.map((name) => [name, sampleOf(document, node.properties?.[name] ?? {})]));
}

/**
 * Returns the first choice of properties. `oneOf: [{required: [object]}, {required: [objects]}]` lists the valid
 * combinations.
 */
function choiceOf(node: Json): Json {
  return node.oneOf?.[0] ?? node.anyOf?.[0] ?? {};
}

function firstExample(document: Json, holder: Json): { value: unknown } | undefined {
  const named = Object.values<Json>(holder.examples ?? {})[0];
  if (named) return { value: resolve(document, named).value };
  return 'example' in holder ? { value: holder.example } : undefined;
}

function bodyOf(document: Json, operation: Operation): SampleRequest['body'] {
  const content: Json = resolve(document, operation.spec.requestBody ?? {}).content ?? {};
  const [entry] = Object.entries<Json>(content);
  if (!entry) return undefined;
  const [type, media] = entry;
  const example = firstExample(document, media);
  if (example) return { type, value: example.value };
  const isBytes = type === 'multipart/form-data' || resolve(document, media.schema ?? {}).format === 'binary';
  return { type, value: isBytes ? 'file' : sampleOf(document, media.schema ?? {}) };
}

/** Builds a request from the contract's examples, with the required parameters, those of every sample, and the named ones. */
export function sampleRequest(document: Json, operation: Operation, optional: readonly string[] = []): SampleRequest {
  const parameters: Json[] = (operation.spec.parameters ?? [])
    .map((one: Json) => resolve(document, one))
    .filter((one: Json) => one.required || one['x-sampled'] || optional.includes(one.name));
  const valueOf = (one: Json) =>
    String((firstExample(document, one) ?? { value: sampleOf(document, one.schema ?? {}) }).value);
  const within = (where: string) =>
    parameters.filter((one) => one.in === where).map((one) => [one.name, valueOf(one)] as const);

  let path = operation.path;
  for (const [name, value] of within('path'))
    path = path.replace(`{${name}}`, value.split('/').map(encodeURIComponent).join('/'));
  // `/` and `:` are allowed in a query and are easier to read unescaped.
  const query = within('query').map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':')}`,
  );
  const security: Json[] = operation.spec.security ?? document.security ?? [];
  const body = bodyOf(document, operation);
  return {
    method: operation.method.toUpperCase(),
    target: query.length ? `${path}?${query.join('&')}` : path,
    isAuthenticated: security.some((one) => Object.keys(one).length > 0),
    headers: Object.fromEntries(within('header')),
    values: Object.fromEntries(parameters.map((one) => [one.name, valueOf(one)])),
    ...(body && { body }),
  };
}
