import { createHash } from 'node:crypto';

/**
 * Returns the key of a question: the SHA-256 of its parts. Questions have the same key only if all parts are equal. The
 * order of fields in an object does not count.
 */
export function cacheKeyOf(parts: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(canonical(parts)).digest('base64url');
}

/** Returns JSON whose fields are in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
