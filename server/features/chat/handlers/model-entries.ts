import type { ChatModel, ChatModels, MessagesModel, MessagesModels } from '#generated/types.ts';
import type { ChatQuota } from '../budgets/chat-quota.ts';
import { timestamp } from '#server/handlers/wire.ts';

/** 1 January 2026, in milliseconds. Clients need a date, and nobody knows that of the model behind the name. */
const modelCreatedAt = 1_767_225_600_000;

/** Returns a model as chat clients read it. */
export function chatModel(id: string): ChatModel {
  return { id, object: 'model', created: modelCreatedAt / 1000, owned_by: 'cubby' };
}

export function chatModels(ids: readonly string[]): ChatModels {
  return { object: 'list', data: ids.map(chatModel) };
}

/** Returns a model as clients of the Messages API read it. They need the account's window to keep within it. */
export function messagesModel(
  id: string,
  { contextTokens, outputTokens }: Pick<ChatQuota, 'contextTokens' | 'outputTokens'>,
): MessagesModel {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: timestamp(modelCreatedAt),
    lifecycle: 'active',
    deprecated_at: null,
    line: null,
    capabilities: null,
    max_input_tokens: contextTokens,
    max_tokens: outputTokens,
  };
}

export function messagesModels(ids: readonly string[], quota: ChatQuota): MessagesModels {
  return {
    data: ids.map((id) => messagesModel(id, quota)),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  };
}
