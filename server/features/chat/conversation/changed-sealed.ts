import type { ChatMessage, ChatTurn } from './conversation.ts';
import type { SealedParts } from './sealed.ts';

/** Returns other sealed parts; undefined for none. */
type Change = (sealed: SealedParts) => SealedParts | undefined;

/** Something with sealed parts: a message, a call or an answer. */
interface Sealing {
  readonly sealed?: SealedParts;
}

/** Returns a turn with the sealed parts of its messages and their calls changed. */
export function turnWithSealed(turn: ChatTurn, change: Change): ChatTurn {
  if (!turn.messages.some(hasSealed)) return turn;
  return { ...turn, messages: turn.messages.map((message) => messageWithSealed(message, change)) };
}

function hasSealed(message: ChatMessage): boolean {
  if (message.role !== 'assistant') return false;
  return message.sealed !== undefined || (message.toolCalls ?? []).some(({ sealed }) => sealed !== undefined);
}

function messageWithSealed(message: ChatMessage, change: Change): ChatMessage {
  if (message.role !== 'assistant') return message;
  const { toolCalls, ...rest } = withSealed(message, change);
  return { ...rest, ...(toolCalls && { toolCalls: toolCalls.map((call) => withSealed(call, change)) }) };
}

/** Returns the same with its sealed parts changed. */
export function withSealed<T extends Sealing>(value: T, change: Change): T {
  if (!value.sealed) return value;
  const { sealed, ...rest } = value;
  const changed = change(sealed);
  return { ...rest, ...(changed && { sealed: changed }) } as T;
}
