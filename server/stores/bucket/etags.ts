import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import type { BucketClient } from './bucket-client.ts';

/**
 * Checks that a bucket has stored the bytes that were sent.
 *
 * @param expected the MD5 of the bytes; for parts, the MD5 of their MD5s and their number
 * @throws {BlobStoreFailed}
 */
export function requireStored(expected: string, answered: string | readonly string[] | undefined): void {
  const etag = unquoted(String(answered ?? ''));
  if (etag === expected) return;
  const why = /^[0-9a-f]{32}(-[0-9]+)?$/i.test(etag)
    ? 'The bucket stored other bytes than were sent. They are deleted.'
    : `The bucket answers "${etag.slice(0, 80)}" for an ETag, which is no MD5 of the bytes, so nothing that it ` +
      'stores can be checked. Switch its encryption with own keys (SSE-KMS, SSE-C) off.';
  throw new BlobStoreFailed(why, undefined);
}

/** Returns the ETag of an object, without quotes. Undefined if there is none. */
export async function etagOf(client: BucketClient, key: string, signal?: AbortSignal): Promise<string | undefined> {
  const answer = await client.send({ doing: 'look for a blob', method: 'HEAD', key, isRepeatable: true, signal });
  return answer.status === 200 ? unquoted(answer.headers.etag ?? '') : undefined;
}

/** Returns the fault of an id that is written twice. */
export function existsAlready(key: string): Error {
  return new Error(`Blob ${key.slice(key.lastIndexOf('/') + 1)} exists already.`);
}

function unquoted(etag: string): string {
  return etag.trim().replace(/^"(.*)"$/, '$1');
}
