import { hash } from 'node:crypto';

import { sortedJson } from '#server/domain/sorted-json.ts';

/**
 * Returns the key of a question: the SHA-256 of its parts. Questions have the same key only if all parts are equal. The
 * order of fields in an object does not count.
 */
export function cacheKeyOf(parts: Readonly<Record<string, unknown>>): string {
  return hash('sha256', sortedJson(parts), 'base64url');
}
