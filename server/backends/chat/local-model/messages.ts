import type { ChatAnswer, ChatTurn } from '#server/domain/chat/conversation.ts';

/** What the server tells the process of the model. */
export type ToProcess =
  | { readonly type: 'ask'; readonly id: number; readonly turn: ChatTurn }
  | { readonly type: 'give-up'; readonly id: number };

/** A call as the model wrote it; names are given by the server. */
export type LocalAnswer = Omit<ChatAnswer, 'toolCalls'> & {
  readonly toolCalls: ReadonlyArray<{ readonly name: string; readonly arguments: string }>;
};

/** What the process of the model tells the server. Of errors nothing is passed on that may quote a conversation. */
export type FromProcess =
  | { readonly type: 'ready'; readonly contextTokens: number }
  | { readonly type: 'not-started'; readonly reason: 'no-package' | 'no-model'; readonly words: string }
  | { readonly type: 'answered'; readonly id: number; readonly answer: LocalAnswer }
  | { readonly type: 'too-long' | 'failed' | 'given-up'; readonly id: number };
