import type { ChatModel } from './chat-model.ts';
import type { SearchResult, WebSearch } from './web-search.ts';
import type { AdmitDeps, ChatAdmission } from './admit-chat.ts';
import type { Citation } from './citations.ts';
import type { ChatAnswer, ChatMessage, TokenUsage } from './conversation.ts';

/** What going on with a conversation takes. */
export interface ConverseDeps extends AdmitDeps {
  readonly model: Pick<ChatModel, 'complete'>;
  /** Undefined where the model is offered none. */
  readonly search: WebSearch | undefined;
  /** Told, for the log, what an operator should know: no contents. Must not throw. */
  onTrouble(what: string, figures?: Readonly<Record<string, number>>): void;
}

/** The next message of a conversation, and what it took. */
export interface Completion extends Omit<ChatAnswer, 'usage'> {
  /** Of all rounds together, as it is charged. */
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
  /** The first is the whole room; those of later rounds are for the longer conversation. */
  readonly admission: ChatAdmission;
  readonly found: readonly SearchResult[];
  readonly searches: Completion['searches'];
  /** Whether there is room for the results of more searches. */
  readonly hasRoom: boolean;
}
