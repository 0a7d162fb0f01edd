import type { StoredBlob } from '#server/domain/ports/blobs.ts';
import type { BucketAnswer, BucketClient } from './bucket-client.ts';
import { elementsOf, textOf } from './xml-text.ts';

const standard = { doing: 'list its blobs', method: 'GET', isRepeatable: true } as const;

/**
 * Yields the objects below a prefix whose names are `isBlobId`, page by page. The bucket's own clock tells their age,
 * so it is right even if the clock of this machine is wrong.
 */
export async function* storedBlobs(
  client: BucketClient,
  prefix: string,
  isBlobId: (name: string) => boolean,
): AsyncGenerator<StoredBlob> {
  for (let token: string | undefined; ;) {
    const query = { 'list-type': '2', 'encoding-type': 'url', prefix, ...(token && { 'continuation-token': token }) };
    const answer = await client.send({ ...standard, query });
    const now = bucketTime(answer);
    for (const item of elementsOf(answer.text, 'Contents')) {
      const blobId = decodeKey(textOf(item, 'Key')).slice(prefix.length);
      if (!isBlobId(blobId)) continue;
      const ageMs = now - Date.parse(textOf(item, 'LastModified') ?? '');
      yield { blobId, sizeBytes: Number(textOf(item, 'Size')), ageMs };
    }
    token = textOf(answer.text, 'NextContinuationToken');
    if (token === undefined || textOf(answer.text, 'IsTruncated') !== 'true') return;
  }
}

/** Returns whether there is no object below a prefix. */
export async function hasNothing(client: BucketClient, prefix: string): Promise<boolean> {
  const { text } = await client.send({ ...standard, query: { 'list-type': '2', 'max-keys': '1', prefix } });
  return elementsOf(text, 'Contents').length === 0;
}

/** Yields the multipart uploads below a prefix that were neither completed nor aborted. */
export async function* openUploads(client: BucketClient, prefix: string) {
  for (let marker: Record<string, string> = {}; ;) {
    const query = { uploads: '', 'encoding-type': 'url', prefix, ...marker };
    const answer = await client.send({ ...standard, doing: 'list its open uploads', query });
    const now = bucketTime(answer);
    for (const item of elementsOf(answer.text, 'Upload')) {
      const uploadId = textOf(item, 'UploadId') ?? '';
      const ageMs = now - Date.parse(textOf(item, 'Initiated') ?? '');
      yield { key: decodeKey(textOf(item, 'Key')), uploadId, ageMs };
    }
    const [key, uploadId] = ['NextKeyMarker', 'NextUploadIdMarker'].map((name) => textOf(answer.text, name));
    if (!key || textOf(answer.text, 'IsTruncated') !== 'true') return;
    marker = { 'key-marker': decodeKey(key), ...(uploadId && { 'upload-id-marker': uploadId }) };
  }
}

/** Returns the time of a response by the bucket's clock. */
function bucketTime({ headers }: BucketAnswer): number {
  return Date.parse(headers.date ?? '');
}

/** Decodes a key of a list with `encoding-type=url`. */
function decodeKey(encoded = ''): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}
