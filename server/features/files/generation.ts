import type { Ids } from '#server/domain/ports/ids.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { isExpired, type StoredObject } from './object.ts';

/**
 * Returns the generation of a file that is written at an address. It stays the same while the same file is there, even
 * if its bytes or headers are replaced. A file that comes to a free address gets a new one. It may be an upload after a
 * deletion, a moved file, or a file whose new visibility or expiry gave it this id. An expired file leaves its address
 * free.
 *
 * A link keeps both the id and the generation of its file, and opens nothing if either has changed.
 *
 * @param before the file that the new row replaces: at the address, or elsewhere if an update moves it
 */
export function generationAt(
  ids: Pick<Ids, 'nameHash'>,
  { space, key }: ObjectAddress,
  before: StoredObject | undefined,
  now: number,
): string {
  const isThere = before !== undefined && before.space === space && before.key === key && !isExpired(before, now);
  return isThere ? before.generation : ids.nameHash();
}
