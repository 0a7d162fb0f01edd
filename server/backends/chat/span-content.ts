import type { ChatAnswer, ChatMessage, ChatToolCall, ChatTurn } from '#server/domain/chat/conversation.ts';
import type { Attributes } from '#server/telemetry/tracing.ts';

/** The most characters of the texts in one attribute. */
export const maxContentLength = 32_768;

/** A text that was cut ends with this. */
const cutMark = '…';

/** Returns texts one after the other, as long as there is room. */
class Room {
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
  const room = new Room();
  const shown: object[] = [];
  for (const message of messages.toReversed()) {
    if (room.isFull) break;
    shown.unshift({ role: message.role, parts: partsOf(message, room) });
  }
  return { 'gen_ai.input.messages': JSON.stringify(shown) };
}

/** Returns the answer in the same form. */
export function outputContent({ text, toolCalls, finishReason }: Omit<ChatAnswer, 'usage'>): Attributes {
  const parts = answerParts(text, toolCalls, new Room());
  return {
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, finish_reason: finishReason }]),
  };
}

function partsOf(message: ChatMessage, room: Room): object[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.toolCallId, response: room.take(message.content) }];
  return answerParts(message.content, message.role === 'assistant' ? (message.toolCalls ?? []) : [], room);
}

function answerParts(text: string | null, calls: readonly ChatToolCall[], room: Room): object[] {
  return [
    ...(text ? [{ type: 'text', content: room.take(text) }] : []),
    ...calls.map(({ id, name, arguments: json }) => ({ type: 'tool_call', id, name, arguments: room.take(json) })),
  ];
}
