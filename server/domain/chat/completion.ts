import type { ChatModel } from './chat-model.ts';
import type { SearchResult, WebSearch } from './web-search.ts';
import type { AdmitDeps, ChatAdmission } from './admit-chat.ts';
import type { Citation } from './citations.ts';
import type { ChatAnswer, ChatMessage, TokenUsage } from './conversation.ts';

/** What continuing a conversation needs. */
export interface ConverseDeps extends AdmitDeps {
  readonly model: Pick<ChatModel, 'complete'>;
  /** Undefined when the model is offered no search. */
  readonly search: WebSearch | undefined;
  /** Is called with what an operator should know, for the log. It has no contents of requests. Must not throw. */
  onTrouble(what: string, figures?: Readonly<Record<string, number>>): void;
}

/** The next message of a conversation, and what it took. */
export interface Completion extends Omit<ChatAnswer, 'usage'> {
  /** The charged usage of all rounds together. */
  readonly usage: TokenUsage;
  /** Left out when nothing is cited. */
  readonly citations?: readonly Citation[];
  /** How often the model was asked. */
  readonly rounds: number;
  readonly searches: { readonly answered: number; readonly failed: number };
}

/** How far a request has come. */
export interface Progress {
  readonly messages: readonly ChatMessage[];
  /** The room that is held. Each further round holds more, for the longer conversation. */
  readonly admission: ChatAdmission;
  readonly found: readonly SearchResult[];
  readonly searches: Completion['searches'];
  /** Whether the results of more searches fit. */
  readonly hasRoom: boolean;
}
