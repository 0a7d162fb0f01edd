import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { isKey, type ObjectAddress } from '#server/domain/object-id.ts';
import { findLive } from './object.ts';

/** The account and the key in the path of a public file. */
export interface PublicAddress {
  readonly accountId: string;
  readonly key: string;
}

/** Returns the URL at which the public host serves a file, or null if it is private. */
export function publicUrl(publicHost: string, { space, accountId, key }: ObjectAddress): string | null {
  return space === 'private' ? null : `${publicHost}${publicPath({ accountId, key })}`;
}

/** Only slashes and characters that `encodeURIComponent()` leaves as they are. */
const plainKey = /^[\w\-.!~*'()/]*$/;

/**
 * Returns the canonical path of a public file, with each segment of its key percent-encoded. A purge names only this
 * path.
 */
export function publicPath({ accountId, key }: PublicAddress): string {
  // Most keys are plain, and the test is much quicker than the encoding.
  const path = plainKey.test(key) ? key : key.split('/').map(encodeURIComponent).join('/');
  return `/${accountId}/${path}`;
}

/**
 * Reads the path of a request to the public host, in any spelling.
 *
 * @param path as it was sent, without a query
 * @returns undefined for a path that can never be a file's
 */
export function parsePublicPath(path: string): PublicAddress | undefined {
  const [, account = '', rest = ''] = /^\/([^/]+)\/([^]+)$/.exec(path) ?? [];
  const [accountId, key] = [decoded(account), decoded(rest)];
  if (accountId === undefined || key === undefined || !/^[0-9]{18}$/.test(accountId) || !isKey(key)) return undefined;
  return { accountId, key };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/**
 * Whether the public URL of a file serves this file. A legacy file shares its URL with the public file of the same key,
 * which takes precedence.
 */
export async function isAtPublicUrl(
  { metadata, clock }: Deps,
  { space, accountId, key }: ObjectAddress,
): Promise<boolean> {
  if (space !== 'legacy') return space === 'public';
  return !(await findLive(metadata.read.objects, { accountId, space: 'public', key }, clock.now()));
}
