import type { ChatAnswer, ChatMessage, ChatTurn, TokenUsage } from '../conversation/conversation.ts';

/** In most models, a token is about four bytes of English. */
export const bytesPerToken = 4;

/** Estimates the tokens of a turn and its answer from their lengths. At least one token each. */
export function estimatedUsage(
  turn: Pick<ChatTurn, 'messages' | 'tools'>,
  answer: Pick<ChatAnswer, 'text' | 'toolCalls' | 'reasoning'>,
): TokenUsage {
  const tools = turn.tools && turn.tools.length > 0 ? JSON.stringify(turn.tools) : '';
  return {
    inputTokens: tokensOf(turn.messages.map(messageText).join('') + tools),
    outputTokens: tokensOf((answer.reasoning?.text ?? '') + (answer.text ?? '') + callsText(answer.toolCalls)),
  };
}

/** Estimates the tokens of a text from its length. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(text) / bytesPerToken));
}

function messageText(message: ChatMessage): string {
  if (message.role !== 'assistant') return message.content;
  const { content, reasoning, toolCalls = [] } = message;
  return (reasoning?.text ?? '') + (content ?? '') + callsText(toolCalls);
}

function callsText(calls: ChatAnswer['toolCalls']): string {
  return calls.map((call) => call.name + call.arguments).join('');
}
