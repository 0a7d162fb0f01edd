import { operationsOf, pascalCase, resolve, type Json, type Operation } from '#openapi/codegen/document.ts';
import { retriesOf } from '#openapi/codegen/retries.ts';
import { schemaChecker } from './schema-check.ts';

/** A response as it was sent over the wire. */
export interface Answer {
  readonly method: string;
  /** The requested path, percent-encoded, without the query. */
  readonly path: string;
  readonly status: number;
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The door that sent it: `api` (the default), `files`, `public`, `operator` or `s3`. */
  readonly door?: string;
}

/** Returns every difference between a response and the contract. The list is empty if the response conforms. */
export type CheckAnswer = (answer: Answer) => string[];

interface Route {
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly doors: ReadonlySet<string | undefined>;
}

/**
 * Paths outside the contract: the documentation and the root, which leads to it, the console, the contract itself, the
 * assets of the pages, and the metrics if they are public.
 */
const outside: Readonly<Record<string, RegExp>> = {
  api: /^\/((docs|console)(\/.*)?|openapi\.(json|yaml)|pages\.(css|svg)|metrics)?$/,
  files: /^\/pages\.(css|svg)$/,
  operator: /^\/console(\/.*)?$/,
};

/**
 * Returns a check of raw responses against the bundled contract: status, headers, media type and body. Schemas are
 * compiled on first use and cached.
 */
export function answerChecker(document: Json): CheckAnswer {
  const contract = { document, schemas: schemaChecker(document), retries: retriesOf(document) };
  const routes = routesOf(document);

  return (answer) => {
    const door = answer.door ?? 'api';
    // The contract does not describe the S3 protocol.
    if (door === 's3') return [];
    if (outside[door]?.test(answer.path)) return [];
    // A preflight belongs to CORS (Fetch standard), not to an operation.
    if (answer.method === 'OPTIONS' && answer.status === 204) return bodyless(answer);

    // Every path of the AI gateway may have the version that clients add.
    const path = answer.path.replace(/^\/v2\/ai(\/v1){1,2}(?=\/)/, '/v2/ai');
    const route = routes.find((one) => one.doors.has(door) && one.pattern.test(path));
    const operation = route?.operations.get(answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase());
    if (!operation) {
      // The public host takes the same methods at every path, and looks at the path only then.
      const isMethodRefused = route !== undefined || (door === 'public' && !/^(GET|HEAD)$/.test(answer.method));
      const status = isMethodRefused ? 405 : 404;
      if (answer.status !== status)
        return [
          `${answer.method} ${answer.path} is in no operation, so it must answer ${status}, not ${answer.status}`,
        ];
      const findings = fallbacks(document, routes, door, answer).map((response) =>
        checkResponse(contract, response, answer),
      );
      return findings.find((problems) => problems.length === 0) ?? findings[0]!;
    }
    const declared = operation.spec.responses[answer.status];
    if (declared)
      return checkResponse(contract, resolve(document, declared), answer).map(
        (problem) => `${operation.id}: ${problem}`,
      );
    const statuses = Object.keys(operation.spec.responses).join(', ');
    return [`${operation.id}: status ${answer.status} is not declared (${statuses}); body: ${excerpt(answer.body)}`];
  };
}

/** What responses are compared with. */
interface Contract {
  readonly document: Json;
  readonly schemas: ReturnType<typeof schemaChecker>;
  readonly retries: ReturnType<typeof retriesOf>;
}

function checkResponse(contract: Contract, response: Json, answer: Answer): string[] {
  return [
    ...checkHeaders(contract, response, answer),
    ...checkRetry(contract, answer),
    ...checkBody(contract, response, answer),
  ];
}

function checkHeaders({ document, schemas }: Contract, response: Json, answer: Answer): string[] {
  return Object.entries<Json>(response.headers ?? {}).flatMap(([name, reference]) => {
    // Section "Response Object" of OpenAPI: a declared Content-Type is ignored.
    if (name.toLowerCase() === 'content-type') return [];
    const header = resolve(document, reference);
    const value = headerOf(answer, name);
    if (value === undefined) return header.required ? [`header ${name} is missing (status ${answer.status})`] : [];
    if (!header.schema) return [];
    const problems = schemas(header.schema)(asTyped(value, resolve(document, header.schema)));
    return problems.map((problem) => `header ${name}${problem}`);
  });
}

/** The code decides whether a response says when to try again, and not its status. */
function checkRetry({ retries }: Contract, answer: Answer): string[] {
  const [, name] = /\/docs\/errors\/([A-Z0-9_]+)>; rel="help"/.exec(headerOf(answer, 'link') ?? '') ?? [];
  if (name === undefined) return [];
  const retry = retries.get(name) ?? retries.get(name.toLowerCase());
  const expected = { 'Retry-After': retry !== undefined, 'X-Should-Retry': retry?.shouldRetry === false };
  return Object.entries(expected).flatMap(([header, isExpected]) => {
    if ((headerOf(answer, header) !== undefined) === isExpected) return [];
    return [isExpected ? `header ${header} is missing (${name})` : `header ${header} does not come with ${name}`];
  });
}

function checkBody({ document, schemas }: Contract, response: Json, answer: Answer): string[] {
  const content: Json = response.content ?? {};
  const type = headerOf(answer, 'content-type');
  const isHead = answer.method === 'HEAD';
  if (isHead || answer.status === 304 || Object.keys(content).length === 0) {
    const media = type === undefined || !isHead || !response.content ? [] : undeclared(content, type);
    return [...bodyless(answer), ...media];
  }
  if (type === undefined) return [`Content-Type is missing (status ${answer.status})`];
  const media = mediaFor(content, type);
  if (!media) return undeclared(content, type);
  if (!media.schema) return [];
  // A schema cannot describe the bytes of a file.
  if (resolve(document, media.schema).format === 'binary') return [];
  const parsed = /[/+]json$/.test(essence(type)) ? parseJson(answer.body) : parseText(answer.body);
  if ('problem' in parsed) return [parsed.problem];
  return schemas(media.schema)(parsed.value).map((problem) => `body (status ${answer.status})${problem}`);
}

function routesOf(document: Json): Route[] {
  const byPath = Map.groupBy(operationsOf(document), (operation) => operation.path);
  return (
    [...byPath]
      .map(([path, operations]) => ({
        pattern: pathPattern(path, operations[0]!.door),
        operations: new Map(operations.map((operation) => [operation.method, operation])),
        doors: new Set([operations[0]!.door, operations[0]!.alsoDoor]),
        parameters: path.split('{').length,
      }))
      // OpenAPI, "Path Templating Matching": concrete paths are matched before their templated counterparts.
      .sort((a, b) => a.parameters - b.parameters)
  );
}

function pathPattern(path: string, door: string): RegExp {
  const source = path
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  // On the public host the last parameter is a key, which may contain slashes.
  return new RegExp(`^${door === 'public' ? source.replace(/\[\^\/\]\+$/, '.+') : source}$`);
}

/**
 * Returns the allowed responses to a request outside all operations. The response must match one of them. The first is
 * the usual one.
 */
function fallbacks(document: Json, routes: Route[], door: string, { path, status }: Answer): Json[] {
  const components: Json = document.components?.responses ?? {};
  const name = status === 405 ? 'MethodNotAllowed' : 'NotFound';
  // The public host has files at every path, so no path of its own has another form of errors.
  const [, area = ''] = (door !== 'public' && /^\/v2\/([a-z-]+)(?:\/|$)/.exec(path)) || [];
  const kind = area === 'ai' ? 'Chat' : pascalCase(area);
  const usual: Json = components[kind + name] ?? components[name];
  if (!usual) throw new Error(`The contract declares no response ${name}`);
  // The delivery doors treat an unknown path like an unknown file.
  const asUnknownFile = routes
    .filter((one) => one.doors.has(door) && door !== 'api')
    .flatMap((one) => [...one.operations.values()])
    .flatMap((operation) => operation.spec.responses[status] ?? []);
  return [usual, ...asUnknownFile].map((response: Json) => resolve(document, response));
}

function headerOf(answer: Answer, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(answer.headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** Converts a header's text to the number or boolean that the schema expects, if possible. */
function asTyped(value: string, { type }: Json): unknown {
  if (type === 'integer' && /^-?(0|[1-9]\d*)$/.test(value)) return Number(value);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

/** Returns `text/html` for `Text/HTML; charset=utf-8`. */
function essence(type: string): string {
  return type.split(';', 1)[0]!.trim().toLowerCase();
}

function mediaFor(content: Json, type: string): Json | undefined {
  const exact = essence(type);
  return content[exact] ?? content[`${exact.split('/')[0]}/*`] ?? content['*/*'];
}

function undeclared(content: Json, type: string): string[] {
  return mediaFor(content, type) ? [] : [`Content-Type "${type}" is not declared (${Object.keys(content).join(', ')})`];
}

function bodyless({ method, status, body }: Answer): string[] {
  return body.length === 0
    ? []
    : [`${method} with status ${status} must have no body, but has ${body.length} bytes: ${excerpt(body)}`];
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parseText(body: Uint8Array): Parsed {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(body) };
  } catch {
    return { problem: 'the body is not UTF-8' };
  }
}

function parseJson(body: Uint8Array): Parsed {
  const text = parseText(body);
  if ('problem' in text) return text;
  try {
    return { value: JSON.parse(text.value as string) };
  } catch {
    return { problem: `the body is not JSON: ${excerpt(body)}` };
  }
}

function excerpt(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 200));
  return text + (body.length > 200 ? ' …' : '');
}
