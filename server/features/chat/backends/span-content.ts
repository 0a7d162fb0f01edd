import type { ChatAnswer, ChatMessage, ChatToolCall, ChatTurn } from '../conversation/conversation.ts';
import type { Attributes } from '#server/telemetry/tracing.ts';

/** The most characters of the texts in one attribute. */
export const maxContentLength = 32_768;

/** A text that was cut ends with this. */
const cutMark = '…';

/** Cuts texts, so that together they are no longer than one attribute may be. */
class SharedLimit {
  #left = maxContentLength;

  get isFull(): boolean {
    return this.#left <= 0;
  }

  take(text: string): string {
    const whole = text.length <= this.#left;
    const taken = whole ? text : text.slice(0, this.#left).toWellFormed() + cutMark;
    this.#left -= text.length;
    return taken;
  }
}

/**
 * Returns the messages of a turn in the form of the conventions. Of a long conversation only the newest messages are
 * there.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export function inputContent({ messages }: ChatTurn): Attributes {
  const limit = new SharedLimit();
  const shown: object[] = [];
  for (const message of messages.toReversed()) {
    if (limit.isFull) break;
    shown.unshift({ role: message.role, parts: partsOf(message, limit) });
  }
  return { 'gen_ai.input.messages': JSON.stringify(shown) };
}

/** Returns the answer in the same form. */
export function outputContent({ text, toolCalls, finishReason }: Omit<ChatAnswer, 'usage'>): Attributes {
  const parts = answerParts(text, toolCalls, new SharedLimit());
  return {
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, finish_reason: finishReason }]),
  };
}

function partsOf(message: ChatMessage, limit: SharedLimit): object[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.toolCallId, response: limit.take(message.content) }];
  return answerParts(message.content, message.role === 'assistant' ? (message.toolCalls ?? []) : [], limit);
}

function answerParts(text: string | null, calls: readonly ChatToolCall[], limit: SharedLimit): object[] {
  return [
    ...(text ? [{ type: 'text', content: limit.take(text) }] : []),
    ...calls.map(({ id, name, arguments: json }) => ({ type: 'tool_call', id, name, arguments: limit.take(json) })),
  ];
}
