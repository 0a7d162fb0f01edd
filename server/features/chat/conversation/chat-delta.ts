import type { ChatReasoning, FinishReason, TokenUsage } from './conversation.ts';
import type { SealedParts } from './sealed.ts';

/** A piece of an answer, in the order in which the model writes it. */
export type ChatDelta =
  | { readonly type: 'text'; readonly text: string }
  /** The model's thoughts before its answer. They are charged as output. */
  | ({ readonly type: 'reasoning' } & ChatReasoning)
  /** More of the sealed parts of the message. */
  | { readonly type: 'sealed'; readonly sealed: SealedParts }
  /** The beginning of a call. The calls of an answer are numbered from 0. */
  | {
      readonly type: 'call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly sealed?: SealedParts;
    }
  /** More of the arguments of a call that has begun. Together they are JSON text, unchecked. */
  | { readonly type: 'arguments'; readonly index: number; readonly text: string };

/** A piece of what a model streams. */
export type ModelDelta =
  | ChatDelta
  /** The tokens of the turn up to here, as the model's server counts them. A later count replaces it. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** Comes once, as the last piece of a complete answer. */
  | { readonly type: 'end'; readonly finishReason: FinishReason };
