import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { evaluateConditions } from '#server/http/conditional.ts';
import type { S3Context } from '../context.ts';
import { requireReach } from '../guard-s3.ts';
import { spaceOf, type S3Request } from '../request.ts';
import { foundObject, requireOnlyVersion, type FoundObject } from './get-object.ts';

/**
 * The file that `x-amz-copy-source` names.
 *
 * @throws InvalidArgument, NoSuchBucket, NoSuchVersion, AccessDenied when the key does not reach or may not read it
 */
export function copySourceAddress(
  { caller }: Pick<S3Context, 'caller'>,
  { header }: Pick<S3Request, 'header'>,
): ObjectAddress {
  const refuse = () =>
    new S3Refusal('InvalidArgument', {
      message: 'x-amz-copy-source must read /bucket/key, percent-encoded.',
      details: { ArgumentName: 'x-amz-copy-source' },
    });
  const [path, version] = (header('x-amz-copy-source') ?? '').split('?versionId=', 2) as [string, string | undefined];
  let plain: string;
  try {
    plain = decodeURIComponent(path);
  } catch {
    throw refuse();
  }
  const [, bucket, key] = /^\/?([^/]+)\/([^]+)$/.exec(plain) ?? [];
  if (bucket === undefined || key === undefined) throw refuse();
  requireOnlyVersion(version);
  requireReach(caller.key, key);
  if (!caller.key.scopes.includes('*') && !caller.key.scopes.includes('blob:read'))
    throw new S3Refusal('AccessDenied', {
      message: 'To copy a file, the API key of this pair needs the scope blob:read.',
    });
  const expected = header('x-amz-source-expected-bucket-owner');
  if (expected !== undefined && expected !== caller.account.id)
    throw new S3Refusal('AccessDenied', {
      message: 'The source belongs to another account than x-amz-source-expected-bucket-owner says.',
    });
  return { accountId: caller.account.id, space: spaceOf(bucket), key };
}

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;

/** Asks the `x-amz-copy-source-if-…` headers, which for a copy all refuse alike. @throws PreconditionFailed */
export function requireSourceConditions(
  { header }: Pick<S3Request, 'header'>,
  { etag, createdAt }: Pick<StoredObject, 'etag' | 'createdAt'>,
): void {
  const headers = Object.fromEntries(conditions.map((name) => [name, header(`x-amz-copy-source-${name}`)]));
  if (evaluateConditions({ method: 'GET', headers, etag, lastModifiedMs: createdAt }) !== 'proceed')
    throw new S3Refusal('PreconditionFailed', { details: { Condition: 'x-amz-copy-source-If-' } });
}

/** The source of a copy with its bytes, its conditions asked. @throws what the others do, NoSuchKey */
export async function copySource(context: S3Context, request: S3Request): Promise<FoundObject> {
  const { space, key } = copySourceAddress(context, request);
  const found = await foundObject(context, { ...request, bucket: space, key, query: new Map() });
  requireSourceConditions(request, found.object);
  return found;
}
