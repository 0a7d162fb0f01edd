import type { ChatAnswer, ChatTurn } from '../../conversation/conversation.ts';

/** A message from the server to the model's process. */
export type ToProcess =
  | { readonly type: 'ask'; readonly id: number; readonly turn: ChatTurn }
  | { readonly type: 'give-up'; readonly id: number };

/** An answer whose calls have no ids yet. The server creates them. */
export type LocalAnswer = Omit<ChatAnswer, 'toolCalls'> & {
  readonly toolCalls: ReadonlyArray<{ readonly name: string; readonly arguments: string }>;
};

/** A message from the model's process to the server. Errors have no text that may quote a conversation. */
export type FromProcess =
  | { readonly type: 'ready'; readonly contextTokens: number }
  | { readonly type: 'not-started'; readonly reason: 'no-package' | 'no-model'; readonly message: string }
  | { readonly type: 'answered'; readonly id: number; readonly answer: LocalAnswer }
  | { readonly type: 'too-long' | 'failed' | 'given-up'; readonly id: number };
