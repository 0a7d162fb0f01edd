import type { OperationPolicy } from './operation-policy.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import type { ByteRange } from '#server/http/range.ts';
import type { Representation } from '#server/http/send-representation.ts';
import type { Slot } from './request-limits.ts';

/** Executes a parsed command, once. Only one whose reply is a file may run again: see `send()` in pipeline.ts. */
export type Run = () => Promise<Reply>;

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A file is sent according to the request's conditions and ranges. The door renders everything else. */
  readonly body?: unknown;
  /** Only these bytes of the file are sent, and `Range` is ignored. */
  readonly range?: ByteRange | undefined;
}

/** An error and the response to it. */
export interface Failure<Refused> {
  readonly refusal: Refused;
  /** The error to log; undefined for a refusal. */
  readonly fault?: unknown;
  /** Whether it is neither a refusal nor an unavailable store. */
  readonly isUnexpected?: boolean;
}

/** The requirements that a request must meet before it runs. */
export interface Requirements {
  /** The rate limits that count it. */
  readonly buckets?: readonly Bucket[];
  readonly slot?: Slot | undefined;
  /** Checks the caller again after a wait for the limits. Throws if it may not go on. */
  readonly afterWait?: (() => Promise<unknown>) | undefined;
  /** The lowest plan that may make the request. */
  readonly plan?: OperationPolicy['plan'];
  /** Free space on the disk, for this many bytes if the number is known. */
  readonly diskSpace?: { readonly bytes: number | undefined } | undefined;
}

/** The sender of a request with credentials: an account, or an operator of the server. */
export type AnyCaller = Caller | OperatorCaller;

/**
 * One request as its door implements it: authentication, parsing and rendering. The pipeline calls the first four
 * methods once each, in this order. It is also the order of the checks that can reject a request.
 *
 * `RequestContext` is the connection and its log line, `Exchange` is the door's steps, `Call` is the handler's view.
 */
export interface Exchange<Refused extends { readonly code: string }, Sender extends AnyCaller = Caller> {
  /** Returns the caller. Left out if anybody may call. Addresses with too many wrong credentials are blocked before. */
  readonly authenticate?: (() => Promise<Sender>) | undefined;
  /**
   * Reads a JSON body, checks the caller's permission, and returns what the pipeline has to check.
   *
   * @throws if the caller may not make this request
   */
  admitCaller(caller: Sender | undefined): Promise<Requirements>;
  /** Validates the request against the contract. */
  validate?(): Promise<void>;
  /**
   * Parses the command. It reads nothing that is stored.
   *
   * @param countMiss charges the limits that count cache misses. It throws RATE_LIMITED
   */
  parse(countMiss: () => Promise<void>): Promise<Run>;

  /** Whether an error of `authenticate` counts against the address. */
  isWrongCredential(error: unknown): boolean;
  /** Whether `Range` applies to HEAD as to GET. */
  readonly rangesOnHead?: boolean;
  /** Writes the rest of a reply that is not a file. */
  sendBody(reply: Reply): void;
  /** Writes the body of a 412 or 416. Status and headers are set. */
  sendUnmet(status: 412 | 416, file: Representation): void;
  failureOf(error: unknown): Failure<Refused>;
  sendRefusal(refusal: Refused): void;
}
