import type { ChatModel } from '../models/chat-model.ts';
import type { SearchResult, WebSearch } from '../search/web-search.ts';
import type { AdmitDeps, ChatAdmission } from '../reservations/admit-chat.ts';
import type { Citation } from '../search/citations.ts';
import type { ChatAnswer, ChatMessage, TokenUsage } from '../conversation/conversation.ts';

/** The dependencies of continuing a conversation. */
export interface ConverseDeps extends AdmitDeps {
  readonly model: Pick<ChatModel, 'complete' | 'stream'>;
  /** Undefined when the model is offered no search. */
  readonly search: WebSearch | undefined;
  /** Called with a message for the operator, for the log. It has no contents of requests. Must not throw. */
  onTrouble(what: string, figures?: Readonly<Record<string, number>>): void;
}

/** The next message of a conversation, with its usage and searches. */
export interface Completion extends Omit<ChatAnswer, 'usage'> {
  /** The charged usage of all rounds together. */
  readonly usage: TokenUsage;
  /** Left out when nothing is cited. */
  readonly citations?: readonly Citation[];
  /** How often the model has answered. */
  readonly rounds: number;
  readonly searches: { readonly answered: number; readonly failed: number };
  /** Set when no model was called. Then `usage` is that of the first time, and nothing is charged. */
  readonly isCached?: true;
}

/** The state of a request between its rounds. */
export interface Progress {
  readonly messages: readonly ChatMessage[];
  /** The current reservation. Each further round reserves more, for the longer conversation. */
  readonly admission: ChatAdmission;
  readonly found: readonly SearchResult[];
  readonly searches: Completion['searches'];
  /** Whether the results of more searches fit. */
  readonly fitsMoreResults: boolean;
}
