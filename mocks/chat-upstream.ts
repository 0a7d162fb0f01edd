import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { cutOff, pourOut, serveJson } from './answers.ts';

/** A request as the upstream received it. */
export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body. */
  readonly body: Record<string, unknown>;
  /** Whether the client disconnected before the response was complete. */
  isAbandoned: boolean;
}

export interface UpstreamToolCall {
  readonly id?: string;
  readonly name: string;
  /** Usually JSON text, as most servers send it. Other values are sent unchanged. */
  readonly arguments: unknown;
}

/** A valid response in the format of chat completions. */
export interface UpstreamMessage {
  readonly text?: string | null;
  readonly toolCalls?: readonly UpstreamToolCall[];
  /** Default: chosen by the message's content. */
  readonly finishReason?: string;
  /** Default: 12 and 5. Null omits it. */
  readonly usage?: { readonly prompt_tokens: unknown; readonly completion_tokens: unknown } | null;
  readonly delayMs?: number;
  /** Of a stream, between two chunks. */
  readonly pauseMs?: number;
}

/** Another response with a status. A body that is not a string is sent as JSON. */
export interface UpstreamStatus {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** A stream of server-sent events, as it is sent. */
export interface UpstreamStream {
  /** Each is written on its own. */
  readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Between two pieces. */
  readonly pauseMs?: number;
  /** Default: `end`. `hang-up` closes the connection before the end of the body. `open` sends nothing more. */
  readonly atEnd?: 'end' | 'hang-up' | 'open';
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The response to one request. A message is streamed if the request asks for it.
 * - `silent`: keeps the connection open and sends nothing.
 * - `hang-up`: closes the connection without a response.
 * - `cut-off`: closes it after half of a valid response.
 * - `stalled`: sends half of a valid response and then nothing.
 * - `too-large`: sends a response that never ends.
 */
export type UpstreamBehaviour =
  | UpstreamMessage
  | UpstreamStatus
  | UpstreamStream
  | 'silent'
  | 'hang-up'
  | 'cut-off'
  | 'stalled'
  | 'too-large'
  | ((request: UpstreamRequest) => UpstreamBehaviour);

/** An OpenAI-compatible server for tests and benches, with programmable responses. */
export interface ChatUpstream {
  /** The value for CUBBY_AI_UPSTREAM_URL, up to and including `/v1`. */
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly UpstreamRequest[];
  /** Sets the responses to the next requests, one each. The last one repeats. */
  answer(...behaviours: readonly [UpstreamBehaviour, ...UpstreamBehaviour[]]): void;
  /** Also aborts open requests. */
  close(): Promise<void>;
}

export interface ChatUpstreamOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Requests without this key get 401. */
  readonly key?: string;
}

/** Starts an upstream. By default it repeats the last user message. */
export async function startChatUpstream({ port = 0, key }: ChatUpstreamOptions = {}): Promise<ChatUpstream> {
  const requests: UpstreamRequest[] = [];
  let behaviours: readonly UpstreamBehaviour[] = [echo];
  const server = createServer(async (req, res) => {
    const request = await read(req);
    requests.push(request);
    res.on('close', () => (request.isAbandoned = !res.writableFinished));
    const [next = echo, ...later] = behaviours;
    if (later.length > 0) behaviours = later;
    const refused = key !== undefined && req.headers.authorization !== `Bearer ${key}`;
    await behave(res, request, refused ? upstreamErrors.openai.wrongKey : next);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: (...told) => void (behaviours = told),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(req: IncomingMessage): Promise<UpstreamRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    method: req.method!,
    path: req.url!,
    headers: req.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    isAbandoned: false,
  };
}

async function behave(res: ServerResponse, request: UpstreamRequest, behaviour: UpstreamBehaviour): Promise<void> {
  if (typeof behaviour === 'function') return behave(res, request, behaviour(request));
  const whole = completion({ text: 'This answer does not arrive as a whole.' });
  if (behaviour === 'silent') return;
  if (behaviour === 'hang-up') return void res.destroy();
  if (behaviour === 'cut-off') return cutOff(res, whole);
  if (behaviour === 'stalled')
    return void res
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': whole.length })
      .write(whole.slice(0, whole.length / 2));
  if (behaviour === 'too-large') return pourOut(res, whole.slice(0, whole.indexOf('This answer')));
  if ('pieces' in behaviour) return sendPieces(res, behaviour);
  if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
  if ('status' in behaviour) serveJson(res, behaviour.status, behaviour.body ?? {}, behaviour.headers);
  else if (request.path.endsWith('/embeddings')) serveJson(res, 200, JSON.stringify(embeddingsOf(request)));
  else if (request.body.stream === true)
    await sendPieces(res, { pieces: chunksOf(behaviour, includesUsage(request)), pauseMs: behaviour.pauseMs ?? 0 });
  else serveJson(res, 200, completion(behaviour));
}

function includesUsage({ body }: UpstreamRequest): boolean {
  return (body.stream_options as { readonly include_usage?: boolean } | undefined)?.include_usage === true;
}

async function sendPieces(
  res: ServerResponse,
  { pieces, pauseMs = 0, atEnd = 'end', headers }: UpstreamStream,
): Promise<void> {
  const closed = new AbortController();
  res.on('error', () => {}).once('close', () => closed.abort());
  res.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers }).flushHeaders();
  for await (const piece of pieces) {
    if (res.destroyed) return;
    if (!res.write(piece)) await once(res, 'drain', { signal: closed.signal }).catch(() => {});
    if (pauseMs > 0) await sleep(pauseMs);
  }
  if (atEnd === 'end') res.end();
  if (atEnd === 'hang-up') res.destroy();
}

/** Returns the vector of a text or of tokens, the same each time. Each number is a float of 32 bits. */
export function vectorOf(input: unknown, dimensions = 8): number[] {
  const seed = [...JSON.stringify(input)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return Array.from({ length: dimensions }, (_, at) => Math.fround(Math.sin(seed + at)));
}

/** Each input counts as four tokens. */
function embeddingsOf({ body }: UpstreamRequest) {
  const { input, dimensions } = body as { readonly input: readonly unknown[]; readonly dimensions?: number };
  const data = input.map((each, index) => ({ object: 'embedding', index, embedding: vectorOf(each, dimensions) }));
  const tokens = 4 * input.length;
  return { object: 'list', data, model: body.model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Returns a server-sent event with this data. */
export function eventOf(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** Returns a chunk of a stream. */
export function chunkOf(delta: object, finishReason: string | null = null, more: object = {}): string {
  return eventOf({
    id: 'chatcmpl-upstream',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'model-of-the-upstream',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...more,
  });
}

/** Returns the events of a message: its text word by word, and the arguments of its calls in two halves. */
export function* chunksOf(
  { text, toolCalls = [], finishReason, usage = { prompt_tokens: 12, completion_tokens: 5 } }: UpstreamMessage,
  withUsage = true,
): Generator<string> {
  yield chunkOf({ role: 'assistant', content: '' });
  for (const piece of (text ?? '').split(/(?<=\s)(?=\S)/)) if (piece !== '') yield chunkOf({ content: piece });
  for (const [index, { id, name, arguments: given }] of toolCalls.entries()) {
    yield chunkOf({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    const whole = typeof given === 'string' ? given : JSON.stringify(given);
    const half = whole.length >> 1;
    for (const part of [whole.slice(0, half), whole.slice(half)])
      yield chunkOf({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield chunkOf({}, finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'));
  if (withUsage && usage)
    yield eventOf({ id: 'chatcmpl-upstream', object: 'chat.completion.chunk', choices: [], usage });
  yield eventOf('[DONE]');
}

function echo({ body }: UpstreamRequest): UpstreamMessage {
  const messages = (body.messages ?? []) as ReadonlyArray<{ readonly role: string; readonly content: string }>;
  return { text: `echo: ${messages.findLast(({ role }) => role === 'user')?.content ?? ''}` };
}

function completion({
  text,
  toolCalls,
  finishReason,
  usage = { prompt_tokens: 12, completion_tokens: 5 },
}: UpstreamMessage): string {
  const calls = toolCalls?.map(({ id, ...called }) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: called,
  }));
  return JSON.stringify({
    id: 'chatcmpl-upstream',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'model-of-the-upstream',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text ?? null, ...(calls && { tool_calls: calls }) },
        finish_reason: finishReason ?? (calls ? 'tool_calls' : 'stop'),
      },
    ],
    ...(usage && { usage }),
  });
}

/** Errors in the formats of common servers. */
export const upstreamErrors = {
  openai: {
    contextTooLong: failure(400, {
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    }),
    badRequest: failure(400, {
      message:
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      type: 'invalid_request_error',
      param: 'messages.[1].role',
      code: null,
    }),
    wrongKey: failure(401, {
      message: 'Incorrect API key provided: sk-upst*****.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    }),
    noSuchModel: failure(404, {
      message: 'The model `nowhere` does not exist or you do not have access to it.',
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    }),
    rateLimited: failure(
      429,
      { message: 'Rate limit reached for requests.', type: 'requests', param: null, code: 'rate_limit_exceeded' },
      { 'Retry-After': '1' },
    ),
  },
  llamaCpp: {
    contextTooLong: failure(400, {
      code: 400,
      message: 'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 4390,
      n_ctx: 4096,
    }),
    contextRanOut: failure(500, { code: 500, message: 'Context size has been exceeded.', type: 'server_error' }),
    badRequest: failure(400, {
      code: 400,
      message: "Failed to parse messages: Missing 'content'",
      type: 'invalid_request_error',
    }),
    loading: failure(503, { code: 503, message: 'Loading model', type: 'unavailable_error' }),
  },
  vllm: {
    contextTooLong: failure(400, {
      message:
        "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 1014 tokens.",
      type: 'BadRequestError',
      param: 'input_tokens',
      code: 400,
    }),
    /** The format of versions before 0.10, without the `error` object. */
    contextTooLongFlat: {
      status: 400,
      body: {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    badRequest: failure(400, {
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
    unprocessable: {
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
    },
  },
  ollama: {
    contextTooLong: failure(400, {
      message: 'the input length exceeds the context length',
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
    badRequest: failure(400, {
      message: 'registry.example/library/tiny:latest does not support tools',
      type: 'api_error',
      param: null,
      code: null,
    }),
    noSuchModel: failure(404, {
      message: 'model "nowhere" not found, try pulling it first',
      type: 'not_found_error',
      param: null,
      code: null,
    }),
    busy: { status: 503, body: { error: 'server busy, please try again.  maximum pending requests exceeded' } },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, UpstreamStatus>>>>;

function failure(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
): UpstreamStatus {
  return { status, body: { error }, ...(headers && { headers }) };
}
