import { retries, type ErrorCode, type RetriedCode } from '#generated/errors.ts';

/** The optional parts of a refusal, in addition to its code. */
export interface RefusalDetails {
  /** The message. Default: the contract's message for the code. */
  readonly message?: string;
  /** Follows the contract's message: the value that was rejected, or how much is used. It ends in a full stop. */
  readonly detail?: string;
  /** The prefix of the rule that rejected the request. */
  readonly prefix?: string;
  /** Where the upload stands that the request would append to. */
  readonly offsetBytes?: number;
  /** The fault that caused it, for the log. */
  readonly cause?: unknown;
}

/** The details of a code that says when to try again. */
interface RetriedDetails extends RefusalDetails {
  /** When another try may succeed. Default: the contract's seconds for the code. */
  readonly retryAfterSeconds?: number;
}

/**
 * Rejects the whole request. The domain throws it, and each door renders it in its own format. Any other error is a
 * fault.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Its own message, if it has one. */
  readonly ownMessage: string | undefined;
  readonly detail: string | undefined;
  readonly prefix: string | undefined;
  /** When another try may succeed. The contract says which codes have it. */
  readonly retryAfterSeconds: number | undefined;
  /** False tells clients that retry automatically not to: the limit applies until the day or the week ends. */
  readonly shouldRetry: false | undefined;
  readonly offsetBytes: number | undefined;

  constructor(code: RetriedCode, details?: RetriedDetails);
  constructor(code: ErrorCode, details?: RefusalDetails);
  constructor(code: ErrorCode, details: RetriedDetails = {}) {
    const { message, detail, cause } = details;
    super(message ?? (detail === undefined ? code : `${code}: ${detail}`), cause === undefined ? {} : { cause });
    this.name = 'Refusal';
    this.code = code;
    this.ownMessage = details.message;
    this.detail = details.detail;
    this.prefix = details.prefix;
    const retry = retryOf(code);
    this.retryAfterSeconds = details.retryAfterSeconds ?? retry?.afterSeconds;
    this.shouldRetry = retry?.shouldRetry;
    this.offsetBytes = details.offsetBytes;
  }
}

function retryOf(code: ErrorCode): { readonly afterSeconds: number; readonly shouldRetry?: false } | undefined {
  return code in retries ? retries[code as RetriedCode] : undefined;
}
