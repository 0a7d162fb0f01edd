import type { Readers } from '#server/domain/ports/metadata.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { freedBytes } from '../retire-object.ts';

/** Returns the bytes that would no longer count for the account if an upload to the address replaced its file now. */
export async function replacedBytes(
  read: Pick<Readers, 'objects' | 'rules'>,
  address: ObjectAddress,
  now: number,
): Promise<number> {
  return freedBytes({ rules: read.rules, now }, await read.objects.find(address));
}
