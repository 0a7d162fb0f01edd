import type { ErrorCode } from '#generated/errors.ts';

/** What a refusal may say beside its code. */
export interface RefusalDetails {
  /** Words for people; the contract's own words for the code are answered when left out. */
  readonly message?: string;
  /**
   * What is added to the contract's words: which value was refused, or how much was used of how much. It ends in a full
   * stop.
   */
  readonly detail?: string;
  /** The prefix of the rule that refused. */
  readonly prefix?: string;
  /** When another try may succeed; every 429 carries it. */
  readonly retryAfterSeconds?: number;
  /** `false` tells clients that retry by themselves to leave it: what refused lasts until the day or the week ends. */
  readonly shouldRetry?: false;
  /** The fault behind it, for the log. */
  readonly cause?: unknown;
}

/**
 * A "no" to the whole request. The domain throws it, and each front door renders it in its own shape.
 * Everything else that is thrown is a fault.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Words of its own, if it has any. */
  readonly words: string | undefined;
  readonly detail: string | undefined;
  readonly prefix: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly shouldRetry: false | undefined;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    const { message, detail, cause } = details;
    super(message ?? (detail === undefined ? code : `${code}: ${detail}`), cause === undefined ? {} : { cause });
    this.name = 'Refusal';
    this.code = code;
    this.words = details.message;
    this.detail = details.detail;
    this.prefix = details.prefix;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.shouldRetry = details.shouldRetry;
  }
}
