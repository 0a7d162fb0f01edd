import { together } from '#server/domain/in-sets.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { StoredObject } from '../object.ts';

/**
 * Returns the names that files have in `together()` while they move. Two that share an address, because they come from
 * it or go to it, have the same name. So what becomes of them is as if all files were moved one after another.
 *
 * @param movedTo where a file goes. A hash that is new there may be another one each time
 */
export async function namesByPlaces(
  tx: Transaction<'objects'>,
  addresses: readonly ObjectAddress[],
  movedTo: (file: StoredObject) => ObjectAddress | undefined,
): Promise<(address: ObjectAddress) => string> {
  if (addresses.length === 1) return formatObjectId;
  const places = await together(addresses, async (address) => {
    const file = await tx.objects.find(address);
    const target = file && movedTo(file);
    return [...new Set([address, target ?? address].map(formatObjectId))];
  });
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const id of places.flat()) (seen.has(id) ? shared : seen).add(id);
  const dependent = new Set(places.filter((ids) => ids.some((id) => shared.has(id))).map(([from]) => from));
  return (address) => {
    const id = formatObjectId(address);
    return dependent.has(id) ? '' : id;
  };
}
