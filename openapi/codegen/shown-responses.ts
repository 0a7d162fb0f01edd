import { resolve, responsesOf, type Json, type Operation } from './document.ts';
import type { Retry } from './retries.ts';

/** A response of an operation as the contract shows it: a named example, or the bare status. */
export interface Shown {
  readonly name: string;
  readonly status: number;
  /** Undefined without a body. */
  readonly type: string | undefined;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

type Retries = ReadonlyMap<string, Retry>;

/** Returns the responses of an operation. Of two media types with the same example, JSON is kept. */
export function shownOf(document: Json, operation: Operation, retries: Retries): Shown[] {
  return responsesOf(document, operation).flatMap(({ status, response }): Shown[] => {
    const shared = headersOf(document, response);
    const content = Object.entries<Json>(response.content ?? {});
    const bodies = content.flatMap(([type, media]) =>
      Object.entries<Json>(media.examples ?? {}).map(([name, example]) => {
        const body: unknown = resolve(document, example).value;
        const headers = { ...shared, ...retryHeaders(retries.get(name)) };
        return { name, status, type: type === '*/*' ? 'application/octet-stream' : type, body, headers };
      }),
    );
    if (content.length === 0)
      return [{ name: `status${status}`, status, type: undefined, body: undefined, headers: shared }];
    const named = Map.groupBy(bodies, ({ name }) => name);
    return [...named.values()].map((same) => same.find(({ type }) => isJson(type)) ?? same[0]!);
  });
}

export function isJson(type: string | undefined): boolean {
  return type === 'application/json';
}

function retryHeaders(retry: Retry | undefined): Record<string, string> {
  return {
    ...(retry && { 'Retry-After': String(retry.afterSeconds) }),
    ...(retry?.shouldRetry === false && { 'X-Should-Retry': 'false' }),
  };
}

/** Returns the examples of the headers that a response always has. What depends on its code is not among them. */
function headersOf(document: Json, response: Json): Record<string, string> {
  return Object.fromEntries(
    Object.entries<Json>(response.headers ?? {}).flatMap(([name, reference]) => {
      const header = resolve(document, reference);
      const example: unknown = header.example ?? exampleOf(resolve(document, header.schema ?? {}));
      return header.required && example !== undefined && name !== 'Retry-After'
        ? [[name, String(example)] as const]
        : [];
    }),
  );
}

function exampleOf(schema: Json): unknown {
  return schema.examples?.[0] ?? schema.const ?? schema.enum?.[0] ?? schema.default;
}
