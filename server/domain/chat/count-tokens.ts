import { Worker } from 'node:worker_threads';

import type { ChatTurn } from './conversation.ts';
import type { CountAnswer, CountJob } from './token-thread.ts';

/** What a model's chat template puts around each message, tool or schema, generously. */
const tokensAround = 8;

/** What the model reads of a request, and what rides on it to the model's server. */
export type Countable = Pick<ChatTurn, 'messages' | 'tools' | 'responseFormat' | 'stop'>;

export interface Counting {
  /** Above it only the fact matters, not by how much. */
  readonly limitTokens: number;
  /** Whose request it is: of one account one is counted at a time. */
  readonly accountId: string;
  /** Ends the counting, which throws its reason. */
  readonly signal: AbortSignal;
}

/**
 * An upper estimate of a request in tokens. No vocabulary makes more tokens than there are bytes, so where the bytes
 * fit into the limit they are the estimate; otherwise {@link countInputTokens} counts.
 */
export async function estimateInputTokens(request: Countable, counting: Counting): Promise<number> {
  let tokens = 0;
  for (const text of textsOf(request)) {
    tokens += Buffer.byteLength(text);
    if (tokens > counting.limitTokens) return countInputTokens(request, counting);
  }
  return tokens;
}

/** The thread holds some 80 MB of memory, so it ends when nothing has been counted for so long. */
const idleMs = 60_000;

/** Counts under way in the thread, by their numbers. */
const waiting = new Map<number, PromiseWithResolvers<number>>();
let lastId = 0;
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Counts a request in tokens of a common vocabulary, exactly, up to the limit. A thread counts, so the event loop stays
 * free whatever the text is. The first count starts it, which takes a third of a second.
 */
export async function countInputTokens(
  request: Countable,
  { limitTokens, accountId, signal }: Counting,
): Promise<number> {
  signal.throwIfAborted();
  const id = ++lastId;
  const counted = Promise.withResolvers<number>();
  const end = () => {
    send({ ended: id });
    counted.reject(signal.reason);
  };
  waiting.set(id, counted);
  clearTimeout(idle);
  signal.addEventListener('abort', end);
  try {
    send({ id, texts: [...textsOf(request)], limitTokens, accountId });
    return await counted.promise;
  } finally {
    signal.removeEventListener('abort', end);
    waiting.delete(id);
    if (waiting.size === 0) idle = setTimeout(endThread, idleMs).unref();
  }
}

function endThread(): void {
  const ended = thread;
  thread = undefined;
  void ended?.terminate();
}

function send(job: CountJob): void {
  (thread ??= startThread()).postMessage(job);
}

function startThread(): Worker {
  const started = new Worker(new URL('./token-thread.ts', import.meta.url));
  // A thread that waits keeps no process alive.
  started.unref();
  const over = (error: unknown) => {
    if (thread !== started) return;
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
  };
  return started
    .on('message', ({ id, tokens, error }: CountAnswer) => {
      if (tokens === undefined) waiting.get(id)?.reject(error);
      else waiting.get(id)?.resolve(tokens);
    })
    .once('error', over)
    .once('exit', () => over(new Error('The thread that counts tokens has ended.')));
}

/**
 * What a model's chat template adds to a request, generously: it is held and not counted, since each model has another.
 */
export function templateTokens({ messages, tools = [], responseFormat }: Countable): number {
  return tokensAround * (messages.length + tools.length + (responseFormat?.type === 'json_schema' ? 1 : 0));
}

function* textsOf({ messages, tools = [], responseFormat, stop = [] }: Countable): Generator<string> {
  for (const message of messages) {
    if (message.content !== null) yield message.content;
    if ('name' in message && message.name !== undefined) yield message.name;
    if (message.role === 'tool') yield message.toolCallId;
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) yield `${call.id} ${call.name} ${call.arguments}`;
  }
  for (const tool of tools) yield JSON.stringify(tool);
  if (responseFormat?.type === 'json_schema') yield JSON.stringify(responseFormat);
  yield* stop;
}
