import { Refusal } from '#server/domain/refusal.ts';
import { limitAdvice } from './limit-advice.ts';

/** How many tools and messages a request may have. */
export interface ItemLimits {
  readonly tools: number;
  readonly messages: number;
}

/** The lists of one request, and how its form names them. */
export interface RequestItems {
  readonly tools: number;
  readonly messages: number;
  /** The field with the messages, and the code when it has too many. */
  readonly field: 'messages' | 'input';
  readonly code: 'invalid_messages' | 'invalid_input' | 'invalid_body';
}

/**
 * Checks that a request has no more messages and tools than its account may send.
 *
 * @throws invalid_tools, and the code of the messages
 */
export function requireFewItems(accountId: string, items: RequestItems, limits: ItemLimits): void {
  const refusal = (name: 'messages' | 'tools', field: string) => ({
    message:
      `${field} has ${items[name]} entries, but a request of this account may have ${limits[name]}. Send fewer. ` +
      limitAdvice(accountId, name),
  });
  if (items.messages > limits.messages) throw new Refusal(items.code, refusal('messages', items.field));
  if (items.tools > limits.tools) throw new Refusal('invalid_tools', refusal('tools', 'tools'));
}
