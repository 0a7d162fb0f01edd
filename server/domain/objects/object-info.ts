import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { ObjectAddress } from '../object-id.ts';
import { isExpired, type StoredObject } from './object.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/**
 * Everything that is known of one file.
 *
 * @throws OBJECT_NOT_FOUND also when it has expired and no job has come by yet
 */
export async function objectInfo({ metadata, clock }: Deps, address: ObjectAddress): Promise<StoredObject> {
  const object = await metadata.read.objects.find(address);
  if (!object || isExpired(object, clock.now())) throw new Refusal('OBJECT_NOT_FOUND');
  return object;
}
