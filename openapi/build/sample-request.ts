import { resolve, type Json, type Operation } from '../codegen/document.ts';

/** A request that the contract accepts, in the parts that curl and fetch both need. */
export interface SampleRequest {
  readonly method: string;
  /** With its parameters filled in and its query: `/v1/objects/info?object=pub/…`. */
  readonly target: string;
  /** Whether the operation asks for a credential. */
  readonly isAuthenticated: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when the operation takes no body. `file` means bytes, alone or as the one part of a multipart form. */
  readonly body?: { readonly type: string; readonly value: unknown };
}

/** The first example that stands at a schema, or else the least value that fits its type and length. */
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

/** `oneOf: [{required: [object]}, {required: [objects]}]` beside the properties says which belong together. */
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

/**
 * Makes a request of an operation from the contract's own examples. It carries the required parameters, and those
 * optional ones that are named.
 */
export function sampleRequest(document: Json, operation: Operation, optional: readonly string[] = []): SampleRequest {
  const parameters: Json[] = (operation.spec.parameters ?? [])
    .map((one: Json) => resolve(document, one))
    .filter((one: Json) => one.required || optional.includes(one.name));
  const valueOf = (one: Json) =>
    String((firstExample(document, one) ?? { value: sampleOf(document, one.schema ?? {}) }).value);
  const within = (where: string) =>
    parameters.filter((one) => one.in === where).map((one) => [one.name, valueOf(one)] as const);

  let path = operation.path;
  for (const [name, value] of within('path'))
    path = path.replace(`{${name}}`, value.split('/').map(encodeURIComponent).join('/'));
  // `/` and `:` may stand in a query as they are, and read better so.
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
    ...(body && { body }),
  };
}
