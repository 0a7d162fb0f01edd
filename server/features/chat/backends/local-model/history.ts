import type { ChatMessage, ChatToolCall } from '../../conversation/conversation.ts';
import { jsonValue } from '#server/backends/json-value.ts';
import type { FunctionCallItem, HistoryItem } from './llama.ts';

/** Converts a conversation for node-llama-cpp, which keeps each function call together with its result. */
export function historyOf(messages: readonly ChatMessage[]): HistoryItem[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])),
  );
  return messages.flatMap((message): HistoryItem[] => {
    switch (message.role) {
      case 'tool':
        return [];
      case 'assistant': {
        const calls = (message.toolCalls ?? []).map((call) => callItem(call, results));
        return [{ type: 'model', response: [...(message.content ? [message.content] : []), ...calls] }];
      }
      default:
        return [{ type: message.role, text: message.content }];
    }
  });
}

function callItem({ id, name, arguments: text }: ChatToolCall, results: ReadonlyMap<string, string>): FunctionCallItem {
  return { type: 'functionCall', name, params: jsonValue(text) ?? {}, result: results.get(id) ?? null };
}
