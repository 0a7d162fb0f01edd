import type { ChatAnswer } from '../conversation/conversation.ts';

/** An answer of a model that is kept for the same question. */
export type CachedAnswer = Pick<ChatAnswer, 'text' | 'toolCalls' | 'finishReason' | 'usage' | 'reasoning' | 'sealed'>;

/** The vectors of a request that are kept for the same texts. */
export interface CachedVectors {
  readonly vectors: ReadonlyArray<readonly number[]>;
  /** As they were charged. */
  readonly inputTokens: number;
}

/** What is kept under a key. */
export interface CachedValue {
  readonly answer?: CachedAnswer;
  readonly vectors?: CachedVectors;
}

/** A kept value and its times, in milliseconds. */
export interface Cached {
  readonly value: CachedValue;
  readonly ageMs: number;
  readonly leftMs: number;
}

/** Answers of models in the memory of one process. */
export interface AnswerCache {
  /** The most bytes of one value. */
  readonly maxValueBytes: number;
  /** Returns undefined for what was not kept, is too old or was removed for newer answers. */
  find(key: string): Cached | undefined;
  /**
   * Keeps a value, perhaps in the place of an older one.
   *
   * @param sizeBytes an upper estimate
   * @returns whether it is kept. Larger values than `maxValueBytes` are not
   */
  keep(key: string, value: CachedValue, sizeBytes: number): boolean;
}

/** What the caller wants of the cache: `refresh` asks the model and keeps its answer, `none` keeps nothing. */
export type CacheWish = 'use' | 'refresh' | 'none';

/** What the cache did with a request. */
export type CacheOutcome =
  | { readonly type: 'hit'; readonly ageMs: number; readonly leftMs: number }
  /** Undefined as long as nobody knows whether the answer will be kept. */
  | { readonly type: 'miss'; readonly isStored?: boolean }
  /** The cache was not read. */
  | { readonly type: 'bypass'; readonly why: BypassReason; readonly isStored?: boolean };

type BypassReason = 'no-cache' | 'no-store' | 'temperature';

/** The cache as one request sees it. */
export interface CacheUse {
  /** Undefined when the operator has switched it off. */
  readonly cache?: AnswerCache | undefined;
  /** Called with what the cache does, and again when that changes. Must not throw. */
  onCache?(outcome: CacheOutcome): void;
}
