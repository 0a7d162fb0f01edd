import type { Clock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import { isExpired, type StoredObject } from './object.ts';

/** Where the public host would serve a file, each segment of its key percent-encoded; null when it is private. */
export function publicUrl(publicHost: string, { space, accountId, key }: Pick<StoredObject, 'space' | 'accountId' | 'key'>): string | null {
  if (space === 'private') return null;
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `${publicHost}/${accountId}/${path}`;
}

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly clock: Clock;
}

/**
 * Whether it is this file that its public URL serves. A legacy file shares that URL with the public file of the same key,
 * which goes before it.
 */
export async function isAtPublicUrl({ metadata, clock }: Deps, { space, accountId, key }: StoredObject): Promise<boolean> {
  if (space !== 'legacy') return space === 'public';
  const first = await metadata.read.objects.find({ accountId, space: 'public', key });
  return !first || isExpired(first, clock.now());
}
