import type { IncomingHttpHeaders } from 'node:http';

import { anyTagMatches } from './etag.ts';
import { parseHttpDate } from './http-date.ts';

/** The validators of a representation; `undefined` if there is no current one. */
interface Validators {
  /** A strong entity tag, without its quotes. */
  readonly etag: string | undefined;
  /** Milliseconds since 1970. Only whole seconds are compared, because HTTP-dates have no more. */
  readonly lastModifiedMs: number | undefined;
}

/** The parts of a request that its preconditions need, and the validators of its target. */
interface ConditionalRequest extends Validators {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Perform the method, respond with 304, or respond with 412. */
export type ConditionOutcome = 'proceed' | 'not-modified' | 'precondition-failed';

/**
 * Evaluates a request's preconditions in the order of RFC 9110 section 13.2.2.
 *
 * It serves reads and writes: `If-None-Match: *` on a PUT means "only create". For a target that does not exist, pass
 * `undefined` validators. `If-Range` is not a precondition, see `ifRangeHolds()`.
 */
export function evaluateConditions(request: ConditionalRequest): ConditionOutcome {
  const { headers, etag, lastModifiedMs } = request;
  const isRead = request.method === 'GET' || request.method === 'HEAD';

  const ifMatch = headers['if-match'];
  const ifUnmodifiedSince = parsedDate(headers['if-unmodified-since']);
  if (ifMatch !== undefined) {
    if (!anyTagMatches(ifMatch, etag, 'strong')) return 'precondition-failed';
  } else if (ifUnmodifiedSince !== undefined) {
    // "A recipient MUST ignore the If-Unmodified-Since header field if the resource does not have a modification date".
    if (lastModifiedMs !== undefined && wholeSecond(lastModifiedMs) > ifUnmodifiedSince) return 'precondition-failed';
  }

  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = parsedDate(headers['if-modified-since']);
  if (ifNoneMatch !== undefined) {
    if (anyTagMatches(ifNoneMatch, etag, 'weak')) return isRead ? 'not-modified' : 'precondition-failed';
  } else if (isRead && ifModifiedSince !== undefined) {
    if (lastModifiedMs !== undefined && wholeSecond(lastModifiedMs) <= ifModifiedSince) return 'not-modified';
  }
  return 'proceed';
}

/**
 * Whether the `Range` header of a request applies (RFC 9110 section 13.1.5): there is no `If-Range`, its entity tag
 * matches by strong comparison, or its date is strong and equals `Last-Modified`. Otherwise, also for an unreadable
 * header, the client's part may belong to other bytes, and the whole representation is sent.
 *
 * @param dateMs the time in the response's `Date`
 */
export function ifRangeHolds(header: string | undefined, validators: Validators, dateMs: number): boolean {
  if (header === undefined) return true;
  const date = parsedDate(header);
  if (date !== undefined) {
    // Within its own second a date is weak: the representation may change again in that second (8.8.2.2).
    const isStrong = wholeSecond(dateMs) >= date + 1000;
    return isStrong && validators.lastModifiedMs !== undefined && wholeSecond(validators.lastModifiedMs) === date;
  }
  // "*" is not an entity tag here.
  return header.trim() !== '*' && anyTagMatches(header, validators.etag, 'strong');
}

/** "A recipient MUST ignore [the field] if the received field value is not a valid HTTP-date". */
function parsedDate(header: string | undefined): number | undefined {
  return header === undefined ? undefined : parseHttpDate(header.trim());
}

function wholeSecond(instantMs: number): number {
  return Math.floor(instantMs / 1000) * 1000;
}
