import type { Caller } from '#server/domain/access/caller.ts';
import { coversKey, coversPrefix } from '#server/domain/prefixes.ts';
import { grantsAny } from '#server/domain/access/scope.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Request } from './request.ts';
import type { Needs, Route } from './route-row.ts';

const scopesFor: Readonly<Record<Needs, readonly string[]>> = {
  read: ['blob:read'],
  write: ['blob:write'],
  either: ['blob:read', 'blob:write'],
};

/**
 * Whether the key may do this at all.
 *
 * @throws AccessDenied
 */
export function guardS3(
  { key }: Pick<Caller, 'key'>,
  { needs, on }: Pick<Route, 'needs' | 'on'>,
  request: Pick<S3Request, 'bucket' | 'key'>,
): void {
  const scopes = scopesFor[needs];
  if (!grantsAny(key.scopes, scopes))
    throw new S3Refusal('AccessDenied', {
      message: `The API key of this pair lacks the scope ${scopes.join(' or ')}.`,
    });
  if (on === 'object') requireReach(key, request.key!);
}

/** Whether a key restricted to prefixes reaches a file. @throws AccessDenied */
export function requireReach({ prefixes }: Pick<Caller['key'], 'prefixes'>, key: string): void {
  if (prefixes && !coversKey(prefixes, key))
    throw new S3Refusal('AccessDenied', { message: 'The API key of this pair is restricted to other prefixes.' });
}

/**
 * The prefix that a list is read under: for a key that is restricted to `photos`, the filter `photos` means the folder
 * and not
 * `photos-2025/` beside it.
 *
 * @throws AccessDenied when the key does not reach all that the filter lets in
 */
export function reachedPrefix({ prefixes }: Pick<Caller['key'], 'prefixes'>, prefix: string): string {
  if (!prefixes) return prefix;
  if (!coversPrefix(prefixes, prefix))
    throw new S3Refusal('AccessDenied', {
      message: 'The API key of this pair is restricted to prefixes: list with one of them as the prefix.',
    });
  return prefixes.includes(prefix) && !prefix.endsWith('/') ? `${prefix}/` : prefix;
}

/** Legacy files are read, listed and deleted; nothing is written beside them. @throws AccessDenied */
export function refuseLegacyWrite(bucket: string | undefined): void {
  if (bucket === 'legacy')
    throw new S3Refusal('AccessDenied', {
      message: 'The bucket legacy is read, listed and emptied; write to public or private.',
    });
}
