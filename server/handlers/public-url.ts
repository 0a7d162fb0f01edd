import type { StoredObject } from '#server/domain/objects/object.ts';

/** Where the public host serves a file, each segment of its key percent-encoded; null when it is not public. */
export function publicUrl(publicHost: string, { space, accountId, key }: Pick<StoredObject, 'space' | 'accountId' | 'key'>): string | null {
  if (space === 'private') return null;
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `${publicHost}/${accountId}/${path}`;
}
