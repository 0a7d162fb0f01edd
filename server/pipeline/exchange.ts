import type { OperationPolicy } from '#generated/policies.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import type { ByteRange } from '#server/http/range.ts';
import type { Representation } from '#server/http/send-stream.ts';
import type { Place } from './limits.ts';

/** What a request takes before it is answered. */
export interface Demand {
  /** The limits that count it. */
  readonly buckets?: readonly Bucket[];
  readonly place?: Place | undefined;
  /** The plan that it needs. */
  readonly plan?: OperationPolicy['plan'];
  /** Room on the disk, for so many bytes where their number is known. */
  readonly room?: { readonly bytes: number | undefined } | undefined;
}

/** What was asked, answered once or more. */
export type Run = () => Promise<Reply>;

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A file is sent as the request's conditions and ranges ask for it; how all else looks is its door's. */
  readonly body?: unknown;
  /** Only these bytes of the file, whatever `Range` says. */
  readonly range?: ByteRange | undefined;
}

/** An error as a door answers it. */
export interface Failure<Refused> {
  readonly refusal: Refused;
  /** What is logged; undefined for a refusal. */
  readonly fault?: unknown;
  /** Whether it is neither a refusal nor a store that does not answer. */
  readonly isUnexpected?: boolean;
}

/**
 * One request as its door understands it: who asks, what is asked, how an answer looks. The pipeline calls the first
 * four in this order, each once; it is the order in which requests are refused.
 */
export interface Exchange<Refused extends { readonly code: string }> {
  /** Who asks; left out where anybody may. Addresses that send wrong credentials are blocked before it. */
  readonly authenticate?: (() => Promise<Caller>) | undefined;
  /** Reads what guards and limits look at. @throws what the caller may not do */
  demand(caller: Caller | undefined): Promise<Demand>;
  /** Holds the request to its shape. */
  checkShape?(): Promise<void>;
  /**
   * Parses the command; nothing that is stored is looked at.
   *
   * @param countMiss counts the request against limits that count only what no cache holds; throws RATE_LIMITED
   */
  parse(countMiss: () => Promise<void>): Promise<Run>;

  /** Whether an error of `authenticate` counts against the address. */
  isWrongCredential(error: unknown): boolean;
  /** Whether a HEAD answers `Range` as the GET does. */
  readonly rangesOnHead?: boolean;
  /** Writes the rest of a reply that is no file. */
  sendBody(reply: Reply): void;
  /** Writes a 412 or 416; status and headers are set. */
  sendUnmet(status: 412 | 416, file: Representation): void;
  failureOf(error: unknown): Failure<Refused>;
  sendRefusal(refusal: Refused): void;
}
