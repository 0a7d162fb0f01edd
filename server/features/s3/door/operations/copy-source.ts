import type { StoredObject } from '#server/features/files/object.ts';
import type { CopySource } from '../../copy-s3-object.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { evaluateConditions } from '#server/http/conditional.ts';
import { authorize, requireOwner } from '../authorize.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { addressOf, type Headers, type S3Request } from '../request.ts';
import { requestedVersion, findObject, versionHeaders, type FoundObject } from './find-object.ts';

/**
 * Returns the address in `x-amz-copy-source`, after checking that the caller can read that file.
 *
 * @throws InvalidArgument, NoSuchBucket, NoSuchVersion, AccessDenied
 */
export function copySourceAddress({ caller }: Pick<S3Context, 'caller'>, request: S3Request): CopySource {
  const [path, version] = (request.header('x-amz-copy-source') ?? '').split('?versionId=', 2);
  const [, bucket, key] = /^\/?([^/]+)\/([^]+)$/.exec(decoded(path!)) ?? [];
  if (bucket === undefined || key === undefined) throw unreadable();
  const versionId = requestedVersion(version);
  authorize(caller, 'read', key);
  requireOwner(request, 'x-amz-source-expected-bucket-owner', caller);
  return { ...addressOf(caller, { bucket, key }), ...(versionId !== undefined && { versionId }) };
}

/** @throws InvalidArgument */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw unreadable();
  }
}

function unreadable(): S3Refusal {
  return invalidArgument('x-amz-copy-source', 'x-amz-copy-source must read /bucket/key, percent-encoded.');
}

/**
 * Returns the header with the version of a copy's source: the one that was requested, or the kept one that was read.
 */
export async function sourceVersionHeaders(
  context: S3Context,
  { versionId: requested }: CopySource,
  source: Pick<StoredObject, 'key' | 'versionId'>,
): Promise<Record<string, string>> {
  const versionId = requested ?? (await versionHeaders(context, source))['x-amz-version-id'];
  return versionId === undefined ? {} : { 'x-amz-copy-source-version-id': versionId };
}

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;

/** Checks the `x-amz-copy-source-if-…` headers, which all refuse alike. @throws PreconditionFailed */
export function requireSourceConditions(
  { header }: Pick<Headers, 'header'>,
  { etag, createdAt }: Pick<StoredObject, 'etag' | 'createdAt'>,
): void {
  const headers = Object.fromEntries(conditions.map((name) => [name, header(`x-amz-copy-source-${name}`)]));
  if (evaluateConditions({ method: 'GET', headers, etag, lastModifiedMs: createdAt }) !== 'proceed')
    throw new S3Refusal('PreconditionFailed', { details: { Condition: 'x-amz-copy-source-If-' } });
}

/** Finds the source of a copy with its blobs, and checks its conditions. @throws NoSuchKey, PreconditionFailed */
export async function findCopySource(
  context: S3Context,
  request: S3Request,
  { space, key, versionId }: CopySource,
): Promise<FoundObject> {
  const query = new Map(versionId === undefined ? [] : [['versionId', [versionId]]]);
  const found = await findObject(context, { bucket: space, key, query });
  requireSourceConditions(request, found.object);
  return found;
}
