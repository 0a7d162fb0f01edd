import { Refusal } from '#server/domain/refusal.ts';
import type { ChatMessage } from './conversation.ts';

/** How a format names the parts of a conversation, for messages about them. */
export interface ConversationTexts {
  /** Names the place of a message in the request, by its index among all messages. */
  place(index: number): string;
  /** A sentence that says how results and calls must match. */
  readonly rule: string;
}

const ofChat: ConversationTexts = {
  place: (index) => `messages[${index}]`,
  rule:
    'Each tool message must answer one of the tool_calls of the assistant message before it, and ' +
    'call ids must not repeat.',
};

/**
 * Checks that tool messages and calls match. Each tool message answers one call of the assistant message before it.
 * Each call is answered before any other message, and no id names two calls. Models reject anything else, each with
 * another message.
 *
 * @throws invalid_request
 */
export function checkConversation(messages: readonly ChatMessage[], { place, rule }: ConversationTexts = ofChat): void {
  const refuse = (what: string): never => {
    throw new Refusal('invalid_request', { message: `${what} ${rule}` });
  };
  const called = new Set<string>();
  const unanswered = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!unanswered.delete(message.toolCallId)) refuse(`${place(index)} answers no open tool call.`);
      continue;
    }
    if (unanswered.size > 0) refuse(`A tool call before ${place(index)} has no answer.`);
    if (message.role !== 'assistant') continue;
    for (const { id } of message.toolCalls ?? []) {
      if (called.has(id)) refuse(`${place(index)} repeats the id of a tool call.`);
      called.add(id);
      unanswered.add(id);
    }
  }
  if (unanswered.size > 0) refuse('A tool call of the last assistant message has no answer.');
}
