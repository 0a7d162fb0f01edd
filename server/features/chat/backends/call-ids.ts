import type { ChatMessage } from '../conversation/conversation.ts';

/** Returns the ids of all tool calls in a conversation. A new id must differ from them. */
export function callIdsIn(messages: readonly ChatMessage[]): Set<string> {
  return new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [])),
  );
}
