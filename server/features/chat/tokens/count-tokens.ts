import { Worker } from 'node:worker_threads';

import type { ChatTurn } from '../conversation/conversation.ts';
import { readableText, sealedLength } from '../conversation/sealed.ts';
import type { CountAnswer, CountJob } from './token-thread.ts';

/** An upper estimate of the tokens that a model's chat template adds to each message, tool or schema. */
const tokensAround = 8;

/** Sealed parts are thoughts that only their server reads. It has about so many characters for a token of them. */
const sealedCharacters = 4;

/** The parts of a request that the model, or its server, reads. */
type Countable = Pick<ChatTurn, 'messages' | 'tools' | 'responseFormat' | 'stop'>;

export interface Counting {
  /** A count above this is not exact. */
  readonly limitTokens: number;
  /** The account of the request. One request of an account is counted at a time. */
  readonly accountId: string;
  /** Aborts the count, which then throws its reason. */
  readonly signal: AbortSignal;
}

/**
 * Returns an upper estimate of a request in tokens. A text never has more tokens than bytes, so the bytes are the
 * estimate if they fit into the limit. Otherwise {@link countInputTokens} counts.
 */
export function estimateInputTokens(request: Countable, counting: Counting): Promise<number> {
  return estimateTokens([...textsOf(request)], counting);
}

/** Estimates texts in the same way. */
export async function estimateTokens(texts: readonly string[], counting: Counting): Promise<number> {
  let tokens = 0;
  for (const text of texts) {
    tokens += Buffer.byteLength(text);
    if (tokens > counting.limitTokens) return countTokens(texts, counting);
  }
  return tokens;
}

/** The thread uses some 80 MB of memory, so it ends after this time without a count. */
const idleMs = 60_000;

/** The counts under way in the thread, by their ids. */
const waiting = new Map<number, PromiseWithResolvers<number>>();
let lastId = 0;
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Counts a request in tokens of a common vocabulary, exactly, up to the limit. It counts in a thread, so no text blocks
 * the event loop. The first count starts the thread, which takes a third of a second.
 */
export function countInputTokens(request: Countable, counting: Counting): Promise<number> {
  return countTokens([...textsOf(request)], counting);
}

/** Counts texts in the same way, such as those of an answer. */
export async function countTokens(
  texts: readonly string[],
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
    send({ id, texts, limitTokens, accountId });
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
  // A waiting thread must not keep the process alive.
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
 * Returns an upper estimate of the tokens that a model's chat template and sealed parts add to a request. They are
 * reserved but not counted, because each model has another template, and only its server reads those parts.
 */
export function templateTokens({ messages, tools = [], responseFormat }: Countable): number {
  const parts = messages.length + tools.length + (responseFormat?.type === 'json_schema' ? 1 : 0);
  return tokensAround * parts + Math.ceil(sealedLengthOf(messages) / sealedCharacters);
}

function sealedLengthOf(messages: Countable['messages']): number {
  const lengths = messages.map((message) => {
    if (message.role !== 'assistant') return 0;
    const ofCalls = (message.toolCalls ?? []).map(({ sealed }) => sealedLength(sealed));
    return ofCalls.reduce((sum, length) => sum + length, sealedLength(message.sealed));
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

function* textsOf({ messages, tools = [], responseFormat, stop = [] }: Countable): Generator<string> {
  for (const message of messages) {
    if (message.content !== null) yield message.content;
    if ('name' in message && message.name !== undefined) yield message.name;
    if (message.role === 'tool') yield message.toolCallId;
    if (message.role !== 'assistant') continue;
    const thoughts = message.sealed ? readableText(message.sealed) : '';
    if (thoughts !== '') yield thoughts;
    // Servers send the same text in both.
    if (message.reasoning && message.reasoning.text !== thoughts) yield message.reasoning.text;
    for (const call of message.toolCalls ?? []) yield `${call.id} ${call.name} ${call.arguments}`;
  }
  for (const tool of tools) yield JSON.stringify(tool);
  if (responseFormat?.type === 'json_schema') yield JSON.stringify(responseFormat);
  yield* stop;
}
