import { withContent } from '#server/features/files/with-content.ts';
import type { Content } from '#server/domain/contents/table.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { isExpired, type StoredObject } from '#server/features/files/object.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { currentMarker, currentVersion, findS3Version, keepingKeys, markerIdOf } from '../../versions.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { addressOf, parameter, type S3Target } from '../request.ts';

/** A file and the blobs of its bytes. */
export interface FoundObject {
  readonly object: StoredObject;
  readonly content: Content;
}

type Reader = Pick<S3Context, 'metadata' | 'clock' | 'caller'>;

type Named = Pick<S3Target, 'bucket' | 'key' | 'query'>;

/** Finds the file that a request names. @throws NoSuchBucket, NoSuchKey, NoSuchVersion */
export function findObject(reader: Reader, named: Named): Promise<FoundObject> {
  return withContent(reader, async () => ({ object: await findRow(reader, named) }));
}

/** Finds the same file without its blobs. @throws NoSuchBucket, NoSuchKey, NoSuchVersion, MethodNotAllowed */
export async function findRow({ metadata, clock, caller }: Reader, named: Named): Promise<StoredObject> {
  const versionId = requestedVersion(parameter(named, 'versionId'));
  const address = addressOf(caller, named);
  const now = clock.now();
  if (versionId !== undefined && versionId !== currentVersion) return findKept(metadata, address, versionId, now);
  const object = await metadata.read.objects.find(address);
  if (object && !isExpired(object, now)) return object;
  const marker = await currentMarker(metadata.read, address, now);
  throw new S3Refusal('NoSuchKey', {
    details: { Key: address.key },
    ...(marker && { headers: markerHeaders(marker) }),
  });
}

/** Finds one version, current or not. A delete marker has no bytes. @throws NoSuchVersion, MethodNotAllowed */
async function findKept(
  metadata: Reader['metadata'],
  address: ObjectAddress,
  versionId: string,
  now: number,
): Promise<StoredObject> {
  const found = await findS3Version(metadata.read, address, versionId, now);
  if (!found) throw new S3Refusal('NoSuchVersion', { details: { Key: address.key, VersionId: versionId } });
  if (found.kind !== 'marker') return found.object;
  throw new S3Refusal('MethodNotAllowed', {
    message: 'This version is a delete marker. Name a version with bytes, or delete the marker.',
    details: { Method: 'GET', ResourceType: 'DeleteMarker' },
    headers: { ...markerHeaders(found.object), Allow: 'DELETE' },
  });
}

/** Returns the headers that announce a delete marker. */
export function markerHeaders(marker: Pick<StoredObject, 'versionId'>): Record<string, string> {
  return { 'x-amz-delete-marker': 'true', 'x-amz-version-id': markerIdOf(marker) };
}

/** Returns the header with the version of a file, where the trash keeps versions. */
export async function versionHeaders(
  { metadata, caller }: Pick<Reader, 'metadata' | 'caller'>,
  { key, versionId }: Pick<StoredObject, 'key' | 'versionId'>,
): Promise<Record<string, string>> {
  const isKept = await keepingKeys(metadata, caller.account.id);
  return isKept(key) ? { 'x-amz-version-id': versionId } : {};
}

/** Reads a version id. @throws InvalidArgument for an impossible one */
export function requestedVersion(version: string | undefined): string | undefined {
  if (version === undefined || version === currentVersion) return version;
  // Ours have 23 characters, those of Amazon 32, and those of other servers are UUIDs.
  if (/^[A-Za-z0-9._-]{23,100}$/.test(version)) return version;
  throw invalidArgument(
    'versionId',
    'versionId must be null for the current file, or the VersionId of a list. Or leave it out.',
    version,
  );
}
