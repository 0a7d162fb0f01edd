import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Content } from '#server/domain/contents/table.ts';
import { findLive, type StoredObject } from './object.ts';
import type { PublicAddress } from './public-url.ts';
import { withContent } from './with-content.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'contents' | 'objects'>;
  readonly clock: Clock;
}

/**
 * Finds the file that the public host serves under an account's key: the public file, or else the legacy file.
 *
 * @throws FILE_NOT_FOUND if there is none, or it is private or expired, or an operator has stopped the account.
 *   All cases look the same
 */
export async function openPublicObject(
  { metadata, clock }: Deps,
  address: PublicAddress,
): Promise<{ readonly object: StoredObject; readonly content: Content }> {
  const { objects } = metadata.read;
  return withContent({ metadata }, async () => {
    const object =
      (await findLive(objects, { ...address, space: 'public' }, clock.now())) ??
      (await findLive(objects, { ...address, space: 'legacy' }, clock.now()));
    if (!object || (await metadata.read.accounts.isClosed(object.accountId))) throw new Refusal('FILE_NOT_FOUND');
    return { object };
  });
}
