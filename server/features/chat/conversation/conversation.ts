import type { SealedParts } from './sealed.ts';

/** A function that the model wants called. */
export interface ChatToolCall {
  /** Names the call. The tool message that answers it has the same id. */
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it, unchecked. */
  readonly arguments: string;
  /** As the model's server sent them with this call. */
  readonly sealed?: SealedParts;
}

/** The model's thoughts, in the field in which its server sends them, and takes them back. */
export interface ChatReasoning {
  readonly field: 'reasoning_content' | 'reasoning';
  readonly text: string;
}

/** One message of a conversation. It has only text. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string; readonly name?: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly name?: string;
      readonly toolCalls?: readonly ChatToolCall[];
      /** As the model's server sent them with this message. */
      readonly reasoning?: ChatReasoning;
      /** What its server has sealed in it. */
      readonly sealed?: SealedParts;
    }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

/** A function that the model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}

/** Whether the model may, must or must not call a function, or which one it must call. */
export type ChatToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

/** The format of the answer. */
export type ChatResponseFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly description?: string;
      readonly schema?: Readonly<Record<string, unknown>>;
      readonly strict?: boolean;
    };

/** A conversation and how to continue it. */
export interface ChatTurn {
  /** Oldest first, at least one. */
  readonly messages: readonly ChatMessage[];
  /** The most tokens of the answer. */
  readonly maxOutputTokens: number;
  readonly tools?: readonly ChatTool[];
  readonly toolChoice?: ChatToolChoice;
  readonly parallelToolCalls?: boolean;
  /** Set if an answer counts that only calls functions which were not offered. By default it is none. */
  readonly allowsOnlyCalls?: true;
  /** Set if a call that was cut off at the length limit is part of the answer. Its `finishReason` is `length` then. */
  readonly keepsCutCalls?: true;
  readonly responseFormat?: ChatResponseFormat;
  /** 0 to 2. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly topP?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** -2 to 2. */
  readonly presencePenalty?: number;
  /** -2 to 2. */
  readonly frequencyPenalty?: number;
  /** -100 to 100, by the model's numbers of tokens. */
  readonly logitBias?: Readonly<Record<string, number>>;
  /** A word of the model's server, such as `low`. */
  readonly reasoningEffort?: string;
  /** A word of the model's server, such as `low`. */
  readonly verbosity?: string;
}

/** What is charged. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The tokens of a turn. */
export interface TokenUsage extends TokenCounts {
  /** Of the input, what the model's server had read before. Undefined if it does not say. */
  readonly cachedInputTokens?: number;
  /** Of the output, the model's thoughts. Undefined if its server does not say. */
  readonly reasoningTokens?: number;
  /** Set when the model's server sent no counts, so they were estimated from the lengths. */
  readonly isEstimated?: true;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** The model's next message. */
export interface ChatAnswer {
  /** Null when the answer is only tool calls. */
  readonly text: string | null;
  /** Not empty exactly when `finishReason` is `tool_calls`. */
  readonly toolCalls: readonly ChatToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
  /** Left out when the model's server sent none. */
  readonly reasoning?: ChatReasoning;
  /** What its server has sealed in it. */
  readonly sealed?: SealedParts;
}
