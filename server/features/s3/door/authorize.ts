import type { Caller } from '#server/domain/access/caller.ts';
import { grantsAny } from '#server/domain/access/scope.ts';
import { coversKey, coversPrefix, listFilter } from '#server/domain/prefixes.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { Headers } from './request.ts';

/** The scope that an operation needs: one of the two, or either. */
export type Needs = 'read' | 'write' | 'either';

const scopesFor: Readonly<Record<Needs, readonly string[]>> = {
  read: ['blob:read'],
  write: ['blob:write'],
  either: ['blob:read', 'blob:write'],
};

/**
 * Checks that the caller's API key has the scope for an operation, and reaches the file.
 *
 * @param key undefined for an operation on a bucket or on the service
 * @throws AccessDenied
 */
export function authorize({ key: apiKey }: Pick<Caller, 'key'>, needs: Needs, key: string | undefined): void {
  const scopes = scopesFor[needs];
  if (!grantsAny(apiKey.scopes, scopes))
    throw denied(`The API key of this pair lacks the scope ${scopes.join(' or ')}.`);
  if (key !== undefined) requireReach(apiKey, key);
}

/** Checks that a file lies under one of the prefixes that a key is restricted to. @throws AccessDenied */
export function requireReach({ prefixes }: Pick<Caller['key'], 'prefixes'>, key: string): void {
  if (prefixes && !coversKey(prefixes, key)) throw denied('The API key of this pair is restricted to other prefixes.');
}

/**
 * Returns the prefix to list. A key that is restricted to `photos` and lists `photos` gets the folder `photos/`, and
 * not `photos-2025/` beside it.
 *
 * @throws AccessDenied when the key does not reach everything under the prefix
 */
export function reachedPrefix({ prefixes }: Pick<Caller['key'], 'prefixes'>, prefix: string): string {
  if (prefixes && !coversPrefix(prefixes, prefix))
    throw denied('The API key of this pair is restricted to prefixes. List with one of them as the prefix.');
  return listFilter(prefixes, prefix);
}

/** Checks that a header that names an account names the caller's. @throws AccessDenied */
export function requireOwner({ header }: Pick<Headers, 'header'>, name: string, { account }: Caller): void {
  const expected = header(name);
  if (expected !== undefined && expected !== account.id)
    throw denied(`The bucket belongs to another account than ${name} says.`);
}

/** Legacy files can be read, listed and deleted, but not written. @throws AccessDenied */
export function refuseLegacyWrite(bucket: string | undefined): void {
  if (bucket === 'legacy')
    throw denied('Files of the bucket legacy can only be read, listed and deleted. Write to public or private.');
}

function denied(message: string): S3Refusal {
  return new S3Refusal('AccessDenied', { message });
}
