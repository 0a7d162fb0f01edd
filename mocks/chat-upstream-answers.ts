interface UpstreamToolCall {
  readonly id?: string;
  readonly name: string;
  /** Usually JSON text, as most servers send it. Other values are sent unchanged. */
  readonly arguments: unknown;
}

/** A valid response in the format of chat completions. */
export interface UpstreamMessage {
  readonly text?: string | null;
  readonly toolCalls?: readonly UpstreamToolCall[];
  /** What the model thought. It comes first, as `reasoning_content`. */
  readonly reasoning?: string;
  /** Default: chosen by the message's content. */
  readonly finishReason?: string;
  /** Default: 12 and 5. Null omits it. */
  readonly usage?: { readonly prompt_tokens: unknown; readonly completion_tokens: unknown } | null;
  readonly delayMs?: number;
  /** It is sent when this resolves. */
  readonly after?: Promise<unknown>;
  /** Of a stream, between two chunks. */
  readonly pauseMs?: number;
}

/** Returns the vector of a text or of tokens, the same each time. Each number is a float of 32 bits. */
export function vectorOf(input: unknown, dimensions = 8): number[] {
  const seed = [...JSON.stringify(input)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return Array.from({ length: dimensions }, (_, at) => Math.fround(Math.sin(seed + at)));
}

/** Returns the answer to a request for embeddings. Each input counts as four tokens. */
export function embeddingsOf(body: Record<string, unknown>) {
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
  {
    text,
    toolCalls = [],
    reasoning,
    finishReason,
    usage = { prompt_tokens: 12, completion_tokens: 5 },
  }: UpstreamMessage,
  withUsage = true,
): Generator<string> {
  yield chunkOf({ role: 'assistant', content: '' });
  if (reasoning !== undefined) yield chunkOf({ reasoning_content: reasoning });
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

/** Returns a message as a whole. */
export function completion({
  text,
  toolCalls,
  reasoning,
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
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(reasoning !== undefined && { reasoning_content: reasoning }),
          ...(calls && { tool_calls: calls }),
        },
        finish_reason: finishReason ?? (calls ? 'tool_calls' : 'stop'),
      },
    ],
    ...(usage && { usage }),
  });
}
