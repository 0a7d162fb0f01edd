import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import { isKey } from '../object-id.ts';
import { isExpired, type StoredObject } from './object.ts';

/** What the path of a public file says. */
export interface PublicAddress {
  readonly accountId: string;
  readonly key: string;
}

/** Where the public host would serve a file; null when it is private. */
export function publicUrl(
  publicHost: string,
  { space, accountId, key }: Pick<StoredObject, 'space' | 'accountId' | 'key'>,
): string | null {
  return space === 'private' ? null : `${publicHost}${publicPath({ accountId, key })}`;
}

/**
 * The one spelling of a public file's path, with each segment of its key percent-encoded. A purge names this spelling
 * alone.
 */
export function publicPath({ accountId, key }: PublicAddress): string {
  return `/${accountId}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Reads the path of a request to the public host, however it is spelled.
 *
 * @param path as it came, without a query
 * @returns undefined for a path that could never be a file's
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
 * Whether it is this file that its public URL serves. A legacy file shares that URL with the public file of the same
 * key, which goes before it.
 */
export async function isAtPublicUrl(
  { metadata, clock }: Deps,
  { space, accountId, key }: StoredObject,
): Promise<boolean> {
  if (space !== 'legacy') return space === 'public';
  const first = await metadata.read.objects.find({ accountId, space: 'public', key });
  return !first || isExpired(first, clock.now());
}
