import type { Ids } from './ports/ids.ts';

/** Lowercase letters and digits, without those that look like another: i, l, o, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Makes an id that people can read and type: the prefix, an underscore and 16 letters and digits (79 bits). */
export function shortId(ids: Pick<Ids, 'lettersOf'>, prefix: 'app' | 'dep'): string {
  return `${prefix}_${ids.lettersOf(alphabet, 16)}`;
}
