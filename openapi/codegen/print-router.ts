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

function tagOf(document: Json, tag: string, own: readonly Operation[]): string {
  const handlers = `${pascalCase(tag)}Handlers`;
  const router = `${pascalCase(tag)[0]!.toLowerCase()}${pascalCase(tag).slice(1)}Router`;
  const sorted = own.toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : rank(a.path) > rank(b.path) ? 1 : 0));
  return [
    ...own.map((operation) => replyType(document, operation)),
    `export interface ${handlers}<Context> {`,
    ...own.map((one) => `  readonly ${one.id}: Operation<${inputType(one)}, Context, ${typeName(one)}Reply>;`),
    '}\n',
    `export function ${router}<Context>(handlers: ${handlers}<Context>, handle: Handle<Context>): Router {`,
    '  const router = Router({ caseSensitive: true, strict: true });',
    ...sorted.map(
      ({ id, method, path }) => `  router.${method}(${print(expressPath(path))}, handle('${id}', handlers.${id}));`,
    ),
    '  return router;',
    '}\n',
  ].join('\n');
}

/**
 * Prints, for each tag, the handlers that the server has to bring and the router that runs them.
 * Routes of the public host are left out: their keys carry slashes, so its door routes them itself.
 */
export function printRouter(document: Json): string {
  const tags = Map.groupBy(
    operationsOf(document).filter(({ door }) => door !== 'public'),
    ({ tag }) => tag,
  );
  return `${banner}import type { Readable } from 'node:stream';

import { Router, type RequestHandler } from 'express';

import type { OperationId } from './policies.ts';
import type * as types from './types.ts';

/**
 * Bytes that HTTP serves whole, in part or not at all, as the conditions and the range of the request say.
 * server/http/send-representation.ts has the same type without the signal, because neither of the two layers may import
 * the other.
 */
export interface Representation {
  readonly sizeBytes: number;
  /** A strong entity tag, without its quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. Undefined if no single instant tells its states apart. */
  readonly lastModifiedMs: number | undefined;
  readonly headers: ReplyHeaders;
  open(range: { readonly start: number; readonly end: number } | undefined): Promise<Readable | Uint8Array>;
  /** Ends the answer midway, by closing the connection. */
  readonly stop?: AbortSignal;
  /** Returns where a client can read the same bytes from another server, and how long this may be cached. */
  elsewhere?(): { readonly location: string; readonly cacheControl: string } | undefined;
}

/** What is not JSON: text, a page, or the bytes of a file. */
export type Content = string | Uint8Array | Representation;

const encoder = new TextEncoder();

/** A body whose JSON is written in advance. It can be kept and sent again. */
export class Rendered<Body> {
  readonly bytes: Uint8Array;
  /** Exists only as a type: the body that the bytes are the JSON of. */
  declare readonly body: Body;

  constructor(body: Body) {
    // Unlike a small Buffer, these bytes are in no pool, which would stay in memory with them.
    this.bytes = encoder.encode(JSON.stringify(body));
  }

  /** Returns a body that was written elsewhere. The bytes must be the JSON of its type. */
  static written<Body>(bytes: Uint8Array): Rendered<Body> {
    return Object.assign(Object.create(Rendered.prototype) as Rendered<Body>, { bytes });
  }
}

export interface EventStreamOptions {
  /** Returns the last event of a stream that breaks off. Without it the connection is cut. */
  readonly failed?: (error: { readonly code: string; readonly words?: string; readonly detail?: string }) => string;
  /** After how many milliseconds a reader that takes nothing is disconnected. */
  readonly longestStallMs?: number;
}

/** A body of server-sent events, written as they come. */
export class EventStream {
  /** Whole events or comments. They end when the client disconnects. */
  readonly chunks: AsyncIterable<string>;
  readonly options: EventStreamOptions;

  constructor(chunks: AsyncIterable<string>, options: EventStreamOptions = {}) {
    this.chunks = chunks;
    this.options = options;
  }
}

/** A body that is sent as JSON. */
export type Json<Body> = Body | Rendered<Body>;

export type ReplyHeaders = Readonly<Record<string, string>>;

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: ReplyHeaders;
}

/** Looks for what the path names, before the body is read. It throws the refusal if there is nothing. */
export type Find<Input, Context> = (input: Pick<Input, keyof Input & 'path'>, context: Context) => Promise<void>;

/**
 * Answers an operation: a function of its validated input. Where the contract cannot check all of the input, two: the first parses
 * the command, looks at nothing that is stored, and is asked before the plan.
 */
export type Operation<Input, Context, R extends Reply> =
  | ((input: Input, context: Context) => Promise<R>)
  | ParsedOperation<Input, Context, R>;

export interface ParsedOperation<Input, Context, R extends Reply> {
  readonly parse: (input: Input, context: Context) => unknown;
  readonly run: (command: never, context: Context) => Promise<R>;
  readonly find?: Find<Input, Context>;
}

/** An operation that parses its command. */
export function parsing<Input, Context, Command, R extends Reply>(
  parse: (input: Input, context: Context) => Command,
  run: (command: Command, context: Context) => Promise<R>,
): ParsedOperation<Input, Context, R> {
  return { parse, run };
}

/** Adds to an operation what is looked up before its body is read. */
export function finding<Input, Context, R extends Reply>(
  find: Find<Input, Context>,
  operation: Operation<Input, Context, R>,
): ParsedOperation<Input, Context, R> {
  return typeof operation === 'function' ? { find, parse: (input) => input, run: operation } : { ...operation, find };
}

/**
 * Brings everything around an operation: authentication, limits, validation, rendering. The server may find an
 * operation by its path without these routes: see server/doors/contract/direct-routes.ts.
 */
export type Handle<Context> = (
  operationId: OperationId,
  operation: Operation<never, Context, Reply>,
) => RequestHandler | RequestHandler[];

${[...tags].map(([tag, own]) => tagOf(document, tag, own)).join('\n')}`;
}
