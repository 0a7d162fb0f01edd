import type { Content } from '#server/domain/objects/contents-table.ts';
import { isExpired, type StoredObject } from '#server/domain/objects/object.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
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

/**
 * The most look-ups of one file. A file that is replaced between the two reads is looked up again. More failures cannot
 * be chance.
 */
const maxTries = 5;

/** Finds the file that a request names. @throws NoSuchBucket, NoSuchKey, NoSuchVersion */
export async function findObject(reader: Reader, named: Named): Promise<FoundObject> {
  for (let tries = 0; tries < maxTries; tries++) {
    const object = await findRow(reader, named);
    const content = await reader.metadata.read.contents.find(object.contentId);
    if (content) return { object, content };
  }
  throw new Error(`The row of ${reader.caller.account.id}/${named.key} points to a content that is not there.`);
}

/** Finds the same file without its blobs. @throws NoSuchBucket, NoSuchKey, NoSuchVersion */
export async function findRow({ metadata, clock, caller }: Reader, named: Named): Promise<StoredObject> {
  refuseVersion(named);
  const address = addressOf(caller, named);
  const object = await metadata.read.objects.find(address);
  if (!object || isExpired(object, clock.now())) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
  return object;
}

/** Files have one version, which clients call `null`. @throws NoSuchVersion, InvalidArgument for an impossible id */
export function refuseVersion(named: Pick<Named, 'query'>): void {
  requireOnlyVersion(parameter(named, 'versionId'));
}

/** Checks a version id that is not in the query. @throws NoSuchVersion, InvalidArgument */
export function requireOnlyVersion(version: string | undefined): void {
  if (version === undefined || version === 'null') return;
  // The version ids of Amazon have 32 characters, those of other servers are UUIDs.
  if (!/^[A-Za-z0-9._-]{32,36}$/.test(version))
    throw invalidArgument(
      'versionId',
      'versionId must be null, because files have one version here. Or leave it out.',
      version,
    );
  throw new S3Refusal('NoSuchVersion', { details: { VersionId: version } });
}
