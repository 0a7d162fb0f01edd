import type { MessagesBlock, MessagesMessage } from '#generated/types.ts';
import type { ChatMessage } from '#server/domain/chat/conversation.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';

interface ReadMessages {
  readonly messages: readonly ChatMessage[];
  /** For each message, the index of the one in the request that it comes from. */
  readonly places: readonly number[];
}

/**
 * Reads messages with blocks. A message of the user becomes one tool message for each result, and one of the user for its
 * texts.
 *
 * @throws invalid_body, multimodal_not_supported
 */
export function messagesOf(given: readonly MessagesMessage[]): ReadMessages {
  const read = given.map((message, index) => messagesIn(message, `messages[${index}].content`));
  return {
    messages: read.flat(),
    places: read.flatMap((messages, index) => messages.map(() => index)),
  };
}

function messagesIn({ role, content }: MessagesMessage, place: string): readonly ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const blocks = content
    .map((block, index) => ({ block, place: `${place}[${index}]` }))
    .filter(({ block: { type } }) => type !== 'thinking' && type !== 'redacted_thinking');
  const other = role === 'user' ? 'tool_result' : 'tool_use';
  const texts = blocks
    .filter(({ block }) => block.type !== other)
    .map(({ block, place }) => textOf(block, place, other));
  const others = blocks.filter(({ block }) => block.type === other);
  const text = texts.join('\n');
  if (role === 'assistant') {
    if (others.length === 0) return [{ role, content: text }];
    return [{ role, content: text || null, toolCalls: others.map(({ block, place }) => callOf(block, place)) }];
  }
  const results = others.map(({ block, place }) => resultOf(block, place));
  return texts.length === 0 && results.length > 0 ? results : [...results, { role, content: text }];
}

function callOf({ id, name, input }: MessagesBlock, place: string) {
  if (!id) throw refused(`${place}.id is missing. A tool_use needs it.`);
  if (!name) throw refused(`${place}.name is missing. A tool_use needs it.`);
  return { id, name, arguments: JSON.stringify(input ?? {}) };
}

function resultOf({ tool_use_id: id, content, is_error: isError }: MessagesBlock, place: string): ChatMessage {
  if (!id) throw refused(`${place}.tool_use_id is missing. A tool_result needs it.`);
  const text = content ? joinedText(content, `${place}.content`) : '';
  return { role: 'tool', toolCallId: id, content: isError === true ? `Error: ${text}` : text };
}

/** Returns a text, or those of blocks. @throws invalid_body, multimodal_not_supported */
export function joinedText(
  content: string | ReadonlyArray<Pick<MessagesBlock, 'type' | 'text'>>,
  place: string,
): string {
  if (typeof content === 'string') return content;
  return content.map((block, index) => textOf(block, `${place}[${index}]`)).join('\n');
}

const notText: ReadonlySet<string> = new Set(['image', 'document', 'audio', 'video', 'file', 'container_upload']);

function textOf({ type, text }: Pick<MessagesBlock, 'type' | 'text'>, place: string, other?: string): string {
  if (notText.has(type))
    throw new Refusal('multimodal_not_supported', {
      message: `${place} is ${got(type).slice(4, -1)}. The gateway takes only text.`,
    });
  if (type !== 'text') throw refused(`${place}.type must be text${other ? ` or ${other}` : ''} here. ${got(type)}`);
  if (typeof text !== 'string') throw refused(`${place}.text is missing. Send a text.`);
  return text;
}

function refused(message: string): Refusal {
  return new Refusal('invalid_body', { message });
}
