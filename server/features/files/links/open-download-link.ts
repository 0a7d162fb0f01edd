import type { Content } from '#server/domain/contents/table.ts';
import { parseObjectId } from '#server/domain/object-id.ts';
import { findLive, type StoredObject } from '../object.ts';
import { withContent } from '../with-content.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { readDownloadLink, type DownloadLink } from './download-link.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'contents' | 'objects'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

interface OpenedLink {
  readonly link: DownloadLink;
  readonly object: StoredObject;
  readonly content: Content;
}

/**
 * Finds the file of a temporary link.
 *
 * @throws LINK_NOT_FOUND when it is forged or has expired, its file was deleted, moved or changed visibility, or an
 *   operator has stopped the account: all look the same
 */
export async function openDownloadLink({ metadata, secrets, clock }: Deps, token: string): Promise<OpenedLink> {
  const link = readDownloadLink({ secrets, clock }, token);
  if (!link) throw new Refusal('LINK_NOT_FOUND');
  return withContent({ metadata }, async () => {
    const address = parseObjectId(link.objectId, link.accountId);
    const object = await findLive(metadata.read.objects, address, clock.now());
    if (!object || object.generation !== link.generation) throw new Refusal('LINK_NOT_FOUND');
    if (await metadata.read.accounts.isClosed(link.accountId)) throw new Refusal('LINK_NOT_FOUND');
    return { link, object };
  });
}
