import type { CallerRequest } from './chat-model.ts';

/** The name that answers have, independent of the model behind it. */
export const embeddingsName = 'cubic-embeddings';

/** A text, or its tokens as the model's own numbers. Not empty. */
export type EmbeddingInput = string | readonly number[];

/** Some of the vectors of a request. */
export interface EmbeddingBatch {
  /** In the order of the inputs. All have the same length, and only finite numbers. */
  readonly vectors: ReadonlyArray<readonly number[]>;
  /** As the model's server counts them; undefined if it does not. */
  readonly inputTokens: number | undefined;
}

export interface EmbeddingBatchRequest {
  readonly inputs: readonly EmbeddingInput[];
  /** Length of the vectors, if it is not the model's own. */
  readonly dimensions: number | undefined;
}

/** The model behind the name `cubic-embeddings`. */
export interface EmbeddingModel {
  /** The most inputs of one batch. */
  readonly batchSize: number;
  /**
   * Returns the vectors of one batch. Retries the failures that may be retried, until `signal` is aborted.
   *
   * @param onBegun called when the model has begun to work, as in `ChatModel.complete`
   * @throws invalid_request when the model's server rejected the inputs, or cannot make vectors of this length
   * @throws context_length_exceeded when that server said that a text is too long
   * @throws {ChatModelUnavailable} when the server gave no readable answer in time
   */
  embed(
    request: EmbeddingBatchRequest,
    signal: AbortSignal,
    onBegun: () => void,
    by?: CallerRequest,
  ): Promise<EmbeddingBatch>;
  close(): Promise<void>;
}
