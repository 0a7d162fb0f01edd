import { findLive, type StoredObject } from '#server/features/files/object.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { parsePlace } from './bundle.ts';
import type { Share } from './share.ts';

interface Deps {
  readonly metadata: Reads<'bundles' | 'objects'>;
  readonly clock: Clock;
}

/**
 * Finds a file of a bundle by its place.
 *
 * @throws OBJECT_NOT_FOUND if the bundle does not have it, or not any more
 */
export async function findBundleFile({ metadata, clock }: Deps, share: Share, place: string): Promise<StoredObject> {
  const named = parsePlace(place, share.object, share.bundle!);
  const address =
    typeof named === 'number'
      ? (await metadata.read.bundles.filesOf(share.idHash)).find(({ number }) => number === named)
      : named;
  const object = address && (await findLive(metadata.read.objects, address, clock.now()));
  if (!object) throw new Refusal('OBJECT_NOT_FOUND');
  return object;
}
