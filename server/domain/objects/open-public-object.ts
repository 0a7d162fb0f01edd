import type { Clock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { Content } from './contents-table.ts';
import type { ObjectAddress } from './id.ts';
import { isExpired, type StoredObject } from './object.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly clock: Clock;
}

/** A file that is replaced between two reads is looked up again; more often than this it cannot be mere chance. */
const maxTries = 5;

/**
 * Finds what the public host serves under an account's key: the public file, or else the legacy file of that name.
 *
 * @throws FILE_NOT_FOUND when there is none, or it is private or expired: all look the same
 */
export async function openPublicObject(
  { metadata, clock }: Deps,
  address: { readonly accountId: string; readonly key: string },
): Promise<{ readonly object: StoredObject; readonly content: Content }> {
  for (let tries = 0; tries < maxTries; tries++) {
    const object = (await findLive(metadata, clock, { ...address, space: 'public' })) ?? (await findLive(metadata, clock, { ...address, space: 'legacy' }));
    if (!object) throw new Refusal('FILE_NOT_FOUND');
    const content = await metadata.read.contents.find(object.contentId);
    if (content) return { object, content };
  }
  throw new Error(`The row of ${address.accountId}/${address.key} points to a content that is not there.`);
}

async function findLive(metadata: Deps['metadata'], clock: Clock, address: ObjectAddress): Promise<StoredObject | undefined> {
  const object = await metadata.read.objects.find(address);
  return object && !isExpired(object, clock.now()) ? object : undefined;
}
