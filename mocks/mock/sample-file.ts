import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Content } from '#server/domain/contents/table.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { servedType } from '#server/features/files/file-type.ts';
import type { PublicAddress } from '#server/features/files/public-url.ts';
import type { ByteRange } from '#server/http/range.ts';

/** 21 April 2026, as in the contract's examples. */
const createdAt = Date.parse('2026-04-21T09:30:00.000Z');

const picture = readFileSync(join(import.meta.dirname, '../../docs/cubby.png'));
const text = Buffer.from('A file of the mock, which stores nothing.\n'.repeat(20));

/** Returns the file at any public address: a picture for names of pictures, otherwise a text. */
export function sampleFile({ accountId, key }: PublicAddress): {
  readonly object: StoredObject;
  readonly content: Content;
} {
  const bytes = servedType(key).contentType.startsWith('image/') ? picture : text;
  const sizeBytes = bytes.length;
  const object: StoredObject = {
    accountId,
    space: 'public',
    key,
    suffix: { hash: null, mark: null, extension: '' },
    generation: 'mock',
    versionId: 'mock',
    contentId: 'mock',
    sizeBytes,
    etag: createHash('md5').update(bytes).digest('hex'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    createdAt,
    expiresAt: null,
    cacheControl: null,
    disposition: null,
    originalName: null,
    metadata: {},
    clientProperties: null,
  };
  return { object, content: { id: 'mock', sizeBytes, blobs: [{ blobId: 'mock', sizeBytes, inline: bytes }] } };
}

/** Returns the bytes of a range of a sample file, or all of them. */
export async function openSample({ blobs }: Content, range: ByteRange | undefined): Promise<Uint8Array> {
  const bytes = blobs[0]!.inline!;
  return range ? bytes.subarray(range.start, range.end + 1) : bytes;
}
