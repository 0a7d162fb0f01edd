import type { IncomingHttpHeaders } from 'node:http';

import { unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { parseEntityTags } from '#server/http/etag.ts';

/**
 * Reads the conditions of a write. A header that cannot be read is an error, because a write without its condition
 * could replace what the client wants to keep.
 *
 * @throws INVALID_CONDITION
 */
export function readWriteConditions(headers: IncomingHttpHeaders): WriteConditions {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifMatch === undefined && ifNoneMatch === undefined) return unconditional;
  return {
    // Weak tags never match strongly (RFC 9110 section 13.1.1).
    ifMatch: tagsOf(ifMatch)?.flatMap((tag) => (tag.weak ? [] : [tag.opaque])),
    ifNoneMatch: tagsOf(ifNoneMatch)?.map(({ opaque }) => opaque),
  };
}

function tagsOf(header: string | undefined) {
  if (header === undefined) return undefined;
  const tags = header.trim() === '*' ? [{ weak: false, opaque: '*' }] : parseEntityTags(header);
  if (!tags) throw new Refusal('INVALID_CONDITION');
  return tags;
}
