/** The operations of the AI gateway that ask a model. */
export type AiOperation = 'chat' | 'responses' | 'messages' | 'embeddings';

/** What is recorded of one request to a model. It has no contents. */
export interface AiRequestRecord {
  readonly accountId: string;
  /** As in the response and in the log. A client may choose it, so two requests may have the same. */
  readonly requestId: string;
  /** When it came, in milliseconds since the epoch. */
  readonly at: number;
  readonly keyId: string;
  /** The name under which callers know the model. */
  readonly model: string;
  readonly operation: AiOperation;
  readonly isStreamed: boolean;
  /** `answered`, `aborted` by the client, or the code of the error. */
  readonly outcome: string;
  /** Tokens that were charged. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What was charged for them, in the unit of `server/domain/money.ts`. */
  readonly cost: number;
  readonly isCached: boolean;
  readonly durationMs: number;
  /** From its beginning to the first piece of a stream; null without a stream or a piece. */
  readonly firstTokenMs: number | null;
  /** How often a server of a model was tried. */
  readonly attempts: number;
  /** What the gateway left out of it, as in its response; null for nothing. */
  readonly leftOut: string | null;
}
