import type { ScanStart } from '#server/features/files/table.ts';
import { listS3Objects, type S3ListPage } from '../../list-s3-objects.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { accountElements } from '../account-elements.ts';
import { reachedPrefix } from '../authorize.ts';
import { checksumKindElements } from '../checksum-fields.ts';
import type { S3Context } from '../context.ts';
import { headElements, listQuery, prefixElements, type ListQuery } from '../list-query.ts';
import { spaceOf, type S3Request } from '../request.ts';
import { WrittenXml, writeContent, type XmlElements } from '../xml.ts';

/** One page of a bucket, for both operations that list files. */
export interface ListedPage extends S3ListPage {
  readonly query: ListQuery;
  /** The elements that both lists begin with. */
  readonly head: XmlElements;
}

/** Reads the page after a start. @throws InvalidArgument, NoSuchBucket, AccessDenied */
export async function listPage(
  context: S3Context,
  request: S3Request,
  from: ScanStart | undefined,
): Promise<ListedPage> {
  const query = listQuery(request, 'max-keys');
  const { prefix, delimiter, most } = query;
  const page = await listS3Objects(context, {
    accountId: context.caller.account.id,
    space: spaceOf(request.bucket),
    prefix: reachedPrefix(context.caller.key, prefix),
    delimiter,
    from,
    limit: most,
  });
  return { ...page, query, head: headElements(request, query, page.next !== undefined) };
}

/** Returns the start that a marker means: the keys after it. */
export function startAfter(marker: string | undefined): ScanStart | undefined {
  return marker ? { behind: marker } : undefined;
}

/** Returns the files and common prefixes of a page, as elements. */
export function entryElements(
  { caller }: S3Context,
  { objects, prefixes, query }: ListedPage,
  withOwner: boolean,
): XmlElements {
  const owner = withOwner ? { Owner: accountElements(caller.account) } : {};
  // Joined, because a text that is in one piece is faster to put together with others.
  const afterSize = ['</Size>', writeContent(owner), '<StorageClass>STANDARD</StorageClass>'].join('');
  const files = objects.map(({ key, createdAt, etag, checksum, sizeBytes }) => {
    const kind = checksum ? writeContent(checksumKindElements(checksum)) : '';
    // The digits of dates and of ETags need no escaping.
    return new WrittenXml(
      `<Key>${writeContent(query.encoded(key))}</Key><LastModified>${timestamp(createdAt)}` +
        `</LastModified><ETag>&quot;${etag}&quot;</ETag>${kind}<Size>${sizeBytes}${afterSize}`,
    );
  });
  return { Contents: files, CommonPrefixes: prefixElements(prefixes, query) };
}
