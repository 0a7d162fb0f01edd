import type { ChatReasoning } from '../conversation/conversation.ts';
import { isReasoningField } from '../conversation/reasoning.ts';

/** Marks what the gateway wrote. Agents that change the server send thoughts of other servers too. */
const mark = 'cubby1';

/**
 * Returns thoughts as one text, which clients carry unread and send back with the conversation. It has the field of the
 * model's server, because the gateway keeps nothing. It is no secret.
 */
export function carryReasoning({ field, text }: ChatReasoning): string {
  return `${mark}.${field}.${Buffer.from(text).toString('base64')}`;
}

/** Returns the thoughts in such a text; undefined for any other value. */
export function carriedReasoning(value: unknown): ChatReasoning | undefined {
  if (typeof value !== 'string') return undefined;
  const [marked, field, text, ...more] = value.split('.');
  if (marked !== mark || !isReasoningField(field) || text === undefined || more.length > 0) return undefined;
  return { field, text: Buffer.from(text, 'base64').toString() };
}
