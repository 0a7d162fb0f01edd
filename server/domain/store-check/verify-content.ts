import { createHash } from 'node:crypto';

import type { Content } from '../contents/table.ts';
import { readContent } from '../contents/read-content.ts';
import { BlobDamaged, BlobMissing, type BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { HashedContent } from './table.ts';

interface Deps {
  readonly metadata: Metadata<'contents'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
  readonly signal: AbortSignal;
  /** Called with the number of bytes that were read. May delay the next ones. */
  readonly onBytes?: (bytes: number) => Promise<void> | void;
}

/** What came of reading a content. A content that was deleted meanwhile is whole. */
type Verified =
  | { readonly isWhole: true }
  | { readonly isWhole: false; readonly content: Content; readonly why: string };

const wholeMd5 = /^[0-9a-f]{32}$/;

/**
 * Reads a content and compares its hash with that of its files.
 *
 * @throws the signal's reason, and errors of a store that does not work at the moment
 */
export async function verifyContent(deps: Deps, hashed: HashedContent): Promise<Verified> {
  const { contentId } = hashed;
  const content = await deps.metadata.read.contents.find(contentId);
  if (!content) return { isWhole: true };
  const why = await differenceOf(deps, content, hashed);
  // The file may have been deleted while it was read.
  if (why === undefined || !(await deps.metadata.read.contents.find(contentId))) return { isWhole: true };
  return { isWhole: false, content, why };
}

/** Returns as a text how the bytes differ from what is known of them. */
async function differenceOf(
  { blobs, signal, onBytes }: Deps,
  content: Content,
  { sha256, etag }: HashedContent,
): Promise<string | undefined> {
  const expected = sha256 ?? (etag !== null && wholeMd5.test(etag) ? etag : undefined);
  const hash = createHash(sha256 === null ? 'md5' : 'sha256');
  let readBytes = 0;
  try {
    for await (const chunk of await readContent({ blobs }, content)) {
      signal.throwIfAborted();
      hash.update(chunk as Uint8Array);
      readBytes += (chunk as Uint8Array).byteLength;
      await onBytes?.((chunk as Uint8Array).byteLength);
    }
  } catch (error) {
    if (error instanceof BlobMissing) return 'bytes are missing';
    if (error instanceof BlobDamaged) return 'encrypted bytes are not those that were stored';
    throw error;
  }
  if (readBytes !== content.sizeBytes) return `there are ${readBytes} bytes instead of ${content.sizeBytes}`;
  return expected === undefined || hash.digest('hex') === expected
    ? undefined
    : `the ${sha256 === null ? 'MD5' : 'SHA-256'} of the bytes is another than that of the file`;
}
