import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { Content } from './contents-table.ts';
import type { ObjectAddress } from '../object-id.ts';
import { isExpired, type StoredObject } from './object.ts';
import { withContent } from './with-content.ts';

interface Deps {
  readonly metadata: Reads<'contents' | 'objects'>;
  readonly clock: Clock;
}

/**
 * Finds what the public host serves under an account's key: the public file, or else the legacy file of that name.
 *
 * @throws FILE_NOT_FOUND when there is none, or it is private or expired: all look the same
 */
export async function openPublicObject(
  { metadata, clock }: Deps,
  address: { readonly accountId: string; readonly key: string },
): Promise<{ readonly object: StoredObject; readonly content: Content }> {
  return withContent({ metadata }, async () => {
    const object =
      (await findLive(metadata, clock, { ...address, space: 'public' })) ??
      (await findLive(metadata, clock, { ...address, space: 'legacy' }));
    if (!object) throw new Refusal('FILE_NOT_FOUND');
    return { object };
  });
}

async function findLive(
  metadata: Deps['metadata'],
  clock: Clock,
  address: ObjectAddress,
): Promise<StoredObject | undefined> {
  const object = await metadata.read.objects.find(address);
  return object && !isExpired(object, clock.now()) ? object : undefined;
}
