import type { IncomingHttpHeaders } from 'node:http';

import { parseHttpDate } from './http-date.ts';

/** What the validators of one representation are; `undefined` stands for "there is no current representation". */
export interface Validators {
  /** A strong entity tag, without its quotes. */
  readonly etag: string | undefined;
  /** Milliseconds since 1970; only whole seconds are compared, as HTTP-dates have no more. */
  readonly lastModifiedMs: number | undefined;
}

/** A request, as far as its preconditions are concerned. */
export interface ConditionalRequest extends Validators {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Perform the method, answer 304, or answer 412. */
export type ConditionOutcome = 'proceed' | 'not-modified' | 'precondition-failed';

/**
 * Evaluates a request's preconditions in the order of RFC 9110 section 13.2.2.
 *
 * For reads and writes alike: `If-None-Match: *` on a PUT means "only create", and such a caller passes validators
 * that are `undefined` while nothing is there. `If-Range` is not a precondition, see `ifRangeHolds()`.
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
 * Whether the `Range` header of a request may be honoured (RFC 9110 section 13.1.5): there is no `If-Range`, or its
 * entity tag is ours by strong comparison, or its date is exactly our `Last-Modified` and strong. Anything else, also
 * what cannot be read, means that the client's part may be of other bytes: the whole representation is sent.
 *
 * @param dateMs what the answer's `Date` says
 */
export function ifRangeHolds(header: string | undefined, validators: Validators, dateMs: number): boolean {
  if (header === undefined) return true;
  const date = parsedDate(header);
  if (date !== undefined) {
    // Within its own second a date is weak: the representation may change again under it (8.8.2.2).
    const isStrong = wholeSecond(dateMs) >= date + 1000;
    return isStrong && validators.lastModifiedMs !== undefined && wholeSecond(validators.lastModifiedMs) === date;
  }
  // "*" is no entity tag here.
  return header.trim() !== '*' && anyTagMatches(header, validators.etag, 'strong');
}

interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** Section 8.8.3.2: strong comparison needs two strong tags, weak comparison looks only at what is in the quotes. */
function anyTagMatches(header: string, etag: string | undefined, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return etag !== undefined;
  return entityTags(header).some((tag) => tag.opaque === etag && (comparison === 'weak' || !tag.weak));
}

/**
 * The entity tags of a list. A comma may stand inside a tag's quotes. Tags without quotes are understood as well
 * (S3 clients send them); from the first piece that is no tag on, nothing is.
 */
function entityTags(header: string): EntityTag[] {
  const item = /[ \t,]*(?<weak>W\/)?(?:"(?<quoted>[\x21\x23-\x7e\x80-\xff]*)"|(?<bare>[^\s",]+))[ \t]*(?:,|$)/y;
  const tags: EntityTag[] = [];
  for (let match = item.exec(header); match !== null; match = item.exec(header)) {
    const { weak, quoted, bare } = match.groups ?? {};
    tags.push({ weak: weak !== undefined, opaque: quoted ?? bare ?? '' });
  }
  return tags;
}

/** "A recipient MUST ignore [the field] if the received field value is not a valid HTTP-date". */
function parsedDate(header: string | undefined): number | undefined {
  return header === undefined ? undefined : parseHttpDate(header.trim());
}

function wholeSecond(instantMs: number): number {
  return Math.floor(instantMs / 1000) * 1000;
}
