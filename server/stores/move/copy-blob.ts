import { createHash } from 'node:crypto';

import { rootIdOf } from '#server/domain/blob-id.ts';
import { BlobMissing, type BlobHashes, type BlobStore } from '#server/domain/ports/blobs.ts';
import { storedSize } from '#server/stores/encrypted/sizes.ts';

/** A blob that a row names. */
export interface NamedBlob {
  readonly id: string;
  readonly sizeBytes: number;
  /** The MD5 in hex, if the row has it. */
  readonly md5: string | undefined;
}

/** What became of a blob: it is in the target, it is not in the source, or its bytes are not those of its row. */
type BlobOutcome = 'copied' | 'missing' | 'damaged';

/**
 * Copies a blob and checks it: the target's hashes against those of the bytes that were read, and these against the
 * row. A blob that the target has already is only read and compared. Encrypted blobs are copied as they are.
 */
export async function copyBlob(
  source: BlobStore,
  target: BlobStore,
  { id, sizeBytes, md5 }: NamedBlob,
  signal: AbortSignal,
): Promise<BlobOutcome> {
  const known = await hashesOf(target, id);
  let read: BlobBytes | undefined;
  if (known) {
    read = await hashesOf(source, id);
    if (!read) return 'missing';
    // An earlier process was killed while it wrote.
    if (read.sha256 !== known.sha256) await target.delete(id);
  }
  if (!known || known.sha256 !== read?.sha256) {
    try {
      read = await put(source, target, { id, sizeBytes }, signal);
    } catch (error) {
      if (error instanceof BlobMissing) return 'missing';
      throw error;
    }
  }
  // The MD5 of a row is that of the clear bytes.
  const isComparable = md5 !== undefined && rootIdOf(id) === undefined;
  const isWhole = read!.sizeBytes === storedSize(id, sizeBytes) && (!isComparable || md5 === read!.md5);
  return isWhole ? 'copied' : 'damaged';
}

interface BlobBytes {
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha256: string;
}

async function put(
  source: BlobStore,
  target: BlobStore,
  { id, sizeBytes }: Pick<NamedBlob, 'id' | 'sizeBytes'>,
  signal: AbortSignal,
): Promise<BlobBytes> {
  const reader = hashing(await source.open(id));
  const stored: BlobHashes = await target.put(id, reader.bytes(), {
    signal,
    announcedBytes: storedSize(id, sizeBytes),
  });
  const read = reader.hashes();
  if (stored.md5 === read.md5 && stored.sha256 === read.sha256) return read;
  await target.delete(id);
  throw new Error(`The target stored other bytes than those of blob ${id}. Look at its disk or its network.`);
}

/** Returns the hashes of a stored blob; undefined if there is none. */
async function hashesOf(blobs: BlobStore, id: string): Promise<BlobBytes | undefined> {
  try {
    const reader = hashing(await blobs.open(id));
    for await (const _chunk of reader.bytes());
    return reader.hashes();
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}

function hashing(stream: AsyncIterable<Uint8Array>) {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  let sizeBytes = 0;
  return {
    async *bytes(): AsyncGenerator<Uint8Array> {
      for await (const chunk of stream) {
        sizeBytes += chunk.byteLength;
        md5.update(chunk);
        sha256.update(chunk);
        yield chunk;
      }
    },
    hashes: (): BlobBytes => ({ sizeBytes, md5: md5.digest('hex'), sha256: sha256.digest('hex') }),
  };
}
