/** A JSON value of the bundled document; the printers read it as it stands. */
export type Json = Record<string, any>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As in the contract: `/v1/objects/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly door: string;
  /** Another door that serves it too. */
  readonly alsoDoor?: string;
  readonly spec: Json;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** Follows `$ref` inside the bundle until something that is no reference. */
export function resolve(document: Json, node: Json): Json {
  let current = node;
  while (typeof current?.$ref === 'string') {
    const target = current.$ref
      .slice(2)
      .split('/')
      .reduce((at: Json, step: string) => at?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    if (!target) throw new Error(`The bundle has no ${current.$ref}`);
    current = target;
  }
  return current;
}

/** All operations in the order in which the contract declares them. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => {
        const spec = item[method];
        if (!spec.operationId) throw new Error(`${method} ${path} has no operationId`);
        const { 'x-door': door = 'api', 'x-also-door': alsoDoor } = item;
        return { id: spec.operationId, method, path, tag: spec.tags[0], door, ...(alsoDoor && { alsoDoor }), spec };
      }),
  );
}

/** The responses of an operation with their references followed, in ascending order of status. */
export function responsesOf(document: Json, operation: Operation): Array<{ status: number; response: Json }> {
  return Object.entries<Json>(operation.spec.responses)
    .map(([status, response]) => ({ status: Number(status), response: resolve(document, response) }))
    .sort((a, b) => a.status - b.status);
}

/**
 * The schema of an operation's JSON body, or of its form where it takes no JSON; `undefined` for other bodies, and
 * without one.
 */
export function bodySchema(spec: Json): Json | undefined {
  const content: Json = spec.requestBody?.content ?? {};
  return (content['application/json'] ?? content['application/x-www-form-urlencoded'])?.schema;
}

/** `upload-tokens` as `UploadTokens`. */
export function pascalCase(text: string): string {
  return text.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What stands at the top of every generated file. */
export const banner = '// Made from openapi/ by `npm run generate`. Never edit it by hand.\n\n';

/** Prints a value as TypeScript: bare keys where they are identifiers, single quotes, two spaces. */
export function print(value: unknown, indent = ''): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((entry) => print(entry, deeper))
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(
          ([key, entry]) =>
            `${/^[A-Za-z_]\w*$/.test(key) && key !== '__proto__' ? key : key === '__proto__' ? `['__proto__']` : print(key)}: ${print(entry, deeper)}`,
        );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const oneLine = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (oneLine.length + indent.length <= 100 && !oneLine.includes('\n')) return oneLine;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}
