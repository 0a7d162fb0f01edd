import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { cutOff, pourOut, serveJson } from './answers.ts';
import { chunksOf, completion, embeddingsOf, type UpstreamMessage } from './chat-upstream-answers.ts';
import { upstreamErrors, type UpstreamStatus } from './chat-upstream-errors.ts';

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
  if ('after' in behaviour) await behaviour.after;
  if ('status' in behaviour) serveJson(res, behaviour.status, behaviour.body ?? {}, behaviour.headers);
  else if (request.path.endsWith('/embeddings')) serveJson(res, 200, JSON.stringify(embeddingsOf(request.body)));
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

function echo({ body }: UpstreamRequest): UpstreamMessage {
  const messages = (body.messages ?? []) as ReadonlyArray<{ readonly role: string; readonly content: string }>;
  return { text: `echo: ${messages.findLast(({ role }) => role === 'user')?.content ?? ''}` };
}
