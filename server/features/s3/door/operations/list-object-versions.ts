import { listS3Versions, type ListedVersion } from '../../list-s3-versions.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { accountElements } from '../account-elements.ts';
import { reachedPrefix } from '../authorize.ts';
import { checksumKindElements } from '../checksum-fields.ts';
import type { S3Operation } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { headElements, listQuery, prefixElements } from '../list-query.ts';
import { parameter, spaceOf } from '../request.ts';
import { xmlReply, type XmlElements } from '../xml.ts';

/**
 * ListObjectVersions: each file with its versions in the trash. A file of a key that keeps none has one version, which
 * clients call `null`. @throws InvalidArgument
 */
export const listObjectVersions: S3Operation = async (context, request) => {
  const query = listQuery(request, 'max-keys');
  const { prefix, delimiter, most, encoded } = query;
  const keyMarker = parameter(request, 'key-marker');
  const versionMarker = parameter(request, 'version-id-marker');
  if (versionMarker && !keyMarker)
    throw invalidArgument('version-id-marker', 'A version-id marker cannot be specified without a key marker.');
  const { account, key } = context.caller;
  const page = await listS3Versions(context, {
    accountId: account.id,
    space: spaceOf(request.bucket),
    prefix: reachedPrefix(key, prefix),
    delimiter,
    keyMarker,
    versionMarker,
    limit: most,
  });
  const elementsOf = ({ key, versionId, isLatest, at }: ListedVersion): XmlElements => ({
    Key: encoded(key),
    VersionId: versionId,
    IsLatest: isLatest,
    LastModified: timestamp(at),
  });
  return xmlReply('ListVersionsResult', {
    ...headElements(request, query, page.next !== undefined),
    KeyMarker: encoded(keyMarker ?? ''),
    VersionIdMarker: versionMarker ?? '',
    ...(page.next && { NextKeyMarker: encoded(page.next.key), NextVersionIdMarker: page.next.versionId }),
    Version: page.versions.flatMap((version) =>
      version.file
        ? [
            {
              ...elementsOf(version),
              ETag: `"${version.file.etag}"`,
              ...(version.file.checksum && checksumKindElements(version.file.checksum)),
              Size: version.file.sizeBytes,
              Owner: accountElements(account),
              StorageClass: 'STANDARD',
            },
          ]
        : [],
    ),
    DeleteMarker: page.versions.flatMap((version) =>
      version.file ? [] : [{ ...elementsOf(version), Owner: accountElements(account) }],
    ),
    CommonPrefixes: prefixElements(page.prefixes, query),
  });
};
