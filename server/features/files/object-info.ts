import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findLive, type StoredObject } from './object.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/**
 * Reads one file.
 *
 * @throws OBJECT_NOT_FOUND, also if it has expired
 */
export async function objectInfo({ metadata, clock }: Deps, address: ObjectAddress): Promise<StoredObject> {
  const object = await findLive(metadata.read.objects, address, clock.now());
  if (!object) throw new Refusal('OBJECT_NOT_FOUND');
  return object;
}
