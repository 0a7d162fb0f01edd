import type { Content } from '../objects/contents-table.ts';
import { parseObjectId } from '../object-id.ts';
import { isExpired, type StoredObject } from '../objects/object.ts';
import { withContent } from '../objects/with-content.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { parseDownloadToken, type DownloadLink } from './download-link.ts';

interface Deps {
  readonly metadata: Reads<'contents' | 'objects'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

export interface OpenedLink {
  readonly link: DownloadLink;
  readonly object: StoredObject;
  readonly content: Content;
}

/**
 * Finds what a temporary link opens.
 *
 * @throws LINK_NOT_FOUND when it is forged or has expired, or its file was deleted, moved or changed visibility: all
 *   look the same
 */
export async function openDownloadLink({ metadata, secrets, clock }: Deps, token: string): Promise<OpenedLink> {
  const link = parseDownloadToken(secrets, token);
  if (!link || link.expiresAt <= clock.now()) throw new Refusal('LINK_NOT_FOUND');
  return withContent({ metadata }, async () => {
    const object = await metadata.read.objects.find(parseObjectId(link.objectId, link.accountId));
    if (!object || object.generation !== link.generation || isExpired(object, clock.now()))
      throw new Refusal('LINK_NOT_FOUND');
    return { link, object };
  });
}
