import {
  banner,
  bodySchema,
  operationsOf,
  pascalCase,
  print,
  responsesOf,
  type Json,
  type Operation,
} from './document.ts';
import { expressPath, rank } from './express-paths.ts';

function typeName(operation: Operation): string {
  return operation.id[0]!.toUpperCase() + operation.id.slice(1);
}

/** One member for each status that the contract declares, so that any other reply does not compile. */
function replyType(document: Json, operation: Operation): string {
  const name = typeName(operation);
  const members = responsesOf(document, operation).map(({ status, response }) => {
    const [mediaType, media] = Object.entries<Json>(response.content ?? {})[0] ?? [];
    const isJson = mediaType === 'application/json';
    const json = status < 400 ? `Json<types.${name}Responses[${status}]>` : `types.${name}Errors[${status}]`;
    const stream = response.content?.['text/event-stream'] ? ' | EventStream' : '';
    const body = media ? `body: ${isJson ? json : 'Content'}${stream}` : 'body?: undefined';
    return `  | { status: ${status}; ${body}; headers?: ReplyHeaders }`;
  });
  return `export type ${name}Reply =\n${members.join('\n')};\n`;
}

function inputType(operation: Operation): string {
  const data = `types.${typeName(operation)}Data`;
  const parameters: Json[] = operation.spec.parameters ?? [];
  const parts = [
    ...(operation.path.includes('{') ? [`path: ${data}['path']`] : []),
    ...(parameters.some((one) => one.in === 'query' || one.$ref) ? [`query: NonNullable<${data}['query']>`] : []),
    ...(bodySchema(operation.spec) ? [`body: NonNullable<${data}['body']>`] : []),
  ];
  return parts.length > 0 ? `{ ${parts.join('; ')} }` : 'Record<never, never>';
}

/** A tag may also have operations of the door for links, with a router of their own. */
function routerOf(tag: string, door: string): string {
  const name = pascalCase(door === 'files' ? `${tag}-links` : tag);
  return `${name[0]!.toLowerCase()}${name.slice(1)}Router`;
}

function handlersOf(tag: string): string {
  return `${pascalCase(tag)}Handlers`;
}

/** Returns the operations of a tag by their doors. Those of health and metrics are at two, and belong to the first. */
function byDoor(own: readonly Operation[]): ReadonlyArray<readonly [door: string, own: readonly Operation[]]> {
  const main = own.find(({ door }) => door !== 'files')?.door;
  return [...Map.groupBy(own, ({ door }) => (door === 'files' ? door : main!))];
}

function tagOf(document: Json, tag: string, own: readonly Operation[]): string {
  return [
    ...own.map((operation) => replyType(document, operation)),
    `export interface ${handlersOf(tag)}<Context> {`,
    ...own.map((one) => `  readonly ${one.id}: Operation<${inputType(one)}, Context, ${typeName(one)}Reply>;`),
    '}\n',
    ...byDoor(own).map(([door, operations]) => printedRouter(tag, door, operations)),
  ].join('\n');
}

function printedRouter(tag: string, door: string, own: readonly Operation[]): string {
  const sorted = own.toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : rank(a.path) > rank(b.path) ? 1 : 0));
  const parameters = `handlers: Partial<${handlersOf(tag)}<Context>>, handle: Handle<Context>`;
  return [
    `export function ${routerOf(tag, door)}<Context>(${parameters}): Router {`,
    '  const router = Router({ caseSensitive: true, strict: true });',
    ...sorted.map(({ id, method, path }) => {
      const route = `router.${method}(${print(expressPath(path))}, handle('${id}', handlers.${id}))`;
      return `  if (handlers.${id}) ${route};`;
    }),
    '  return router;',
    '}\n',
  ].join('\n');
}

/**
 * Prints, for each tag, the handlers that the server has to bring and the router that runs them. A server may leave out
 * what is switched off: an operation without a handler has no route. Routes of the public host are left out: their keys carry slashes, so its door routes them itself.
 */
export function printRouter(document: Json): string {
  const routed = operationsOf(document).filter(({ door }) => door !== 'public');
  const tags = Map.groupBy(routed, ({ tag }) => tag);
  const routers = [...tags].flatMap(([tag, own]) => byDoor(own).map(([door]) => ({ door, name: routerOf(tag, door) })));
  return `${banner}import { Router, type RequestHandler } from 'express';

import type { Operation } from '#server/http/operation.ts';
import type { Content, EventStream, Json, Reply, ReplyHeaders } from '#server/http/reply.ts';
import type { OperationId } from './policies.ts';
import type * as types from './types.ts';

/**
 * Brings everything around an operation: authentication, limits, validation, rendering. The server may find an
 * operation by its path without these routes: see server/doors/contract/direct-routes.ts.
 */
export type Handle<Context> = (
  operationId: OperationId,
  operation: Operation<never, Context, Reply>,
) => RequestHandler | RequestHandler[];

${[...tags].map(([tag, own]) => tagOf(document, tag, own)).join('\n')}
/** The routers of the doors that have them. */
export const routers = {
${[...Map.groupBy(routers, ({ door }) => door)].map(([door, of]) => `  ${door}: [${of.map(({ name }) => name).join(', ')}],`).join('\n')}
} as const;

/** The handlers of all tags. */
export interface Handlers<Context>
  extends ${[...tags.keys()].map((tag) => `${handlersOf(tag)}<Context>`).join(', ')} {}
`;
}
