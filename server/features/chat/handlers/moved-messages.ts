import type { ChatMessage } from '../conversation/conversation.ts';

/** Messages of a conversation, and the place in the request that each of them comes from. */
export interface ReadMessages {
  readonly messages: readonly ChatMessage[];
  readonly places: readonly number[];
}

/**
 * Moves messages that stand between calls and their results behind the results: those of the system, and others that
 * are `movable`. Agents send them anywhere, but models take nothing between a call and its result.
 */
export function movedBehindResults(
  { messages, places }: ReadMessages,
  movable: ReadonlySet<ChatMessage> = new Set(),
): ReadMessages {
  const order: number[] = [];
  const unanswered = new Set<string>();
  let waiting: number[] = [];
  for (const [index, message] of messages.entries()) {
    if ((message.role === 'system' || movable.has(message)) && unanswered.size > 0) {
      waiting.push(index);
      continue;
    }
    if (message.role === 'tool') unanswered.delete(message.toolCallId);
    else {
      order.push(...waiting);
      waiting = [];
    }
    order.push(index);
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) unanswered.add(id);
    if (unanswered.size > 0) continue;
    order.push(...waiting);
    waiting = [];
  }
  order.push(...waiting);
  return { messages: order.map((at) => messages[at]!), places: order.map((at) => places[at]!) };
}
