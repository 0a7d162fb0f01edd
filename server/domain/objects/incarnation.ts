import type { Ids } from '../ports/ids.ts';
import type { ObjectAddress } from '../object-id.ts';
import { isExpired, type StoredObject } from './object.ts';

/**
 * The incarnation of a file that is written at an address. It stays while the same file is there, also when its bytes
 * are written over in place or its headers change. Whatever comes to a free address gets a new one: an upload after a
 * deletion, a moved file, one whose visibility or expiry brought it a new id, though it had that id before. A file that
 * has expired leaves its address free.
 *
 * Whatever opens a file later without asking its owner again, such as a link, keeps id and incarnation and opens
 * nothing when either is another one.
 *
 * @param before the file that the new row takes the place of: at the address, or where it is changed, elsewhere
 */
export function incarnationAt(
  ids: Pick<Ids, 'opaqueId'>,
  { space, key }: ObjectAddress,
  before: StoredObject | undefined,
  now: number,
): string {
  const isThere = before !== undefined && before.space === space && before.key === key && !isExpired(before, now);
  return isThere ? before.incarnation : ids.opaqueId();
}
