import { createChatCompletion, type ChatRequest } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { errorFrom } from '../../app/api-error.ts';
import { eventReader, hear, silence, type Heard } from './stream.ts';

/** An answer of a model, as it was sent. */
export interface Answer {
  readonly heard: Heard;
  /** The body of the response, or the data of its events. */
  readonly raw: unknown;
  readonly limits: readonly Limit[];
}

/** One limit of the `RateLimit` header. */
interface Limit {
  readonly name: string;
  readonly left: number;
  readonly resetSeconds: number;
}

/**
 * Asks a model.
 *
 * @param onHeard called with all that a stream has said so far
 * @throws {ApiError}, or the `AbortError` of the signal
 */
export async function askModel(
  body: ChatRequest,
  signal: AbortSignal,
  onHeard: (heard: Heard) => void,
): Promise<Answer> {
  if (body.stream) return askForStream(body, signal, onHeard);
  const outcome = await createChatCompletion({ body, signal });
  const raw = await send(Promise.resolve(outcome));
  const [choice] = raw.choices;
  const heard: Heard = {
    text: choice.message.content ?? '',
    calls: choice.message.tool_calls ?? [],
    finishReason: choice.finish_reason,
    usage: raw.usage,
    error: undefined,
  };
  return { heard, raw, limits: limitsOf(outcome.response) };
}

async function askForStream(body: ChatRequest, signal: AbortSignal, onHeard: (heard: Heard) => void): Promise<Answer> {
  const outcome = await createChatCompletion({ body, signal, parseAs: 'stream' });
  const stream = (await send(Promise.resolve(outcome))) as unknown as ReadableStream<Uint8Array>;
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const events = eventReader();
  const raw: unknown[] = [];
  let heard = silence;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    for (const data of events(piece.value)) {
      if (data === '[DONE]') continue;
      const chunk: unknown = JSON.parse(data);
      raw.push(chunk);
      heard = hear(heard, chunk as object);
    }
    onHeard(heard);
  }
  if (heard.error !== undefined) throw errorFrom(outcome.response, { error: heard.error });
  return { heard, raw, limits: limitsOf(outcome.response) };
}

function limitsOf(response: Response | undefined): Limit[] {
  return readLimits(response?.headers.get('RateLimit') ?? '');
}

/** Reads a `RateLimit` header: `"chat";r=29;t=30, "account";r=599;t=60`. */
function readLimits(header: string): Limit[] {
  return [...header.matchAll(/"([^"]+)";r=(\d+);t=(\d+)/g)].map(([, name, left, reset]) => ({
    name: name!,
    left: Number(left),
    resetSeconds: Number(reset),
  }));
}
