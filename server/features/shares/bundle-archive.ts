import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { nextTurn } from '#server/event-loop.ts';
import { readContent, type ReadDeps } from '#server/domain/contents/read-content.ts';
import { BlobMissing, type ByteRange } from '#server/domain/ports/blobs.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { layOut, type ArchiveLayout, type ArchivePiece } from './layout.ts';
import type { NamedFile } from './bundle.ts';

interface Deps extends ReadDeps {
  readonly metadata: Reads<'contents'>;
}

/** The archive of a bundle in one state. Its bytes follow from the names, contents and times of the files. */
export interface BundleArchive {
  readonly sizeBytes: number;
  /** A strong entity tag: another one for any other bytes. */
  readonly etag: string;
  readonly layout: ArchiveLayout;
  readonly files: readonly NamedFile[];
}

/** Lays out the archive of a bundle. */
export async function bundleArchive(files: readonly NamedFile[]): Promise<BundleArchive> {
  const kept = files.filter(({ path }) => path !== '');
  const hash = createHash('sha256');
  const entries = kept.map(({ path, sizeBytes, crc32, createdAt }) => ({
    ...{ name: path, sizeBytes, crc32 },
    modifiedAt: createdAt,
  }));
  const layout = await layOut(entries, (record, at) => hash.update(record).update(kept[at]!.contentId));
  return { sizeBytes: layout.sizeBytes, etag: hash.digest('hex').slice(0, 32), layout, files: kept };
}

/**
 * Opens the bytes of an archive, whole or in part. The first file's bytes are open when this resolves. The stream opens
 * the next ones as it gets to them, one at a time. It fails if a file has gone, because its bytes cannot be replaced.
 *
 * @param onGone called then, before the stream fails. It is no fault that an owner removes a file
 */
export async function openArchive(
  deps: Deps,
  { layout, files, sizeBytes }: BundleArchive,
  range: ByteRange = { start: 0, end: sizeBytes - 1 },
  onGone: () => void = () => {},
): Promise<Readable> {
  let open: Readable | undefined;
  const openFile = async ({ entry, range: part }: FilePiece) => {
    open = await openContentOf(deps, files[entry]!, part, onGone);
    // An error of bytes that nobody reads yet must not end the process. Their reader gets it.
    open.once('error', () => {});
    return open;
  };
  const pieces = layout.pieces(range);
  const head: Uint8Array[] = [];
  let next = pieces.next();
  for (; !next.done && 'bytes' in next.value && head.length < mostHeads; next = pieces.next())
    head.push(next.value.bytes);
  const first = next.done ? undefined : next.value;
  const opened = first && 'entry' in first ? await openFile(first) : first?.bytes;
  const whole = Readable.from(together(bytesOf(head, opened, pieces, openFile)), { objectMode: false });
  // The generator does not end while it waits for bytes, nor if it was never started.
  return whole.once('close', () => open?.destroy());
}

async function openContentOf(
  deps: Deps,
  { contentId }: NamedFile,
  range: ByteRange,
  onGone: () => void,
): Promise<Readable> {
  const find = () => deps.metadata.read.contents.find(contentId);
  try {
    const content = await find();
    if (!content) throw new BlobMissing(contentId, undefined);
    return await readContent(deps, content, range);
  } catch (error) {
    if (error instanceof BlobMissing && !(await find())) onGone();
    throw error;
  }
}

/** Records of empty files and of the directory that are made before the first bytes are opened. */
const mostHeads = 16;

type FilePiece = Extract<ArchivePiece, { readonly entry: number }>;

async function* bytesOf(
  head: readonly Uint8Array[],
  first: Readable | Uint8Array | undefined,
  rest: Iterable<ArchivePiece>,
  openFile: (piece: FilePiece) => Promise<Readable>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  if (first instanceof Uint8Array) yield first;
  else if (first) yield* first;
  for (const piece of rest) {
    if ('bytes' in piece) yield piece.bytes;
    else yield* await openFile(piece);
  }
}

/** Pieces of fewer bytes leave together. */
const largeBytes = 16 * 1024;
const togetherBytes = 64 * 1024;

/** Small files come from the database without a wait in between. Other work gets a turn after this time. */
const turnMs = 5;

/** Joins small pieces, because each that leaves alone costs more than its bytes. */
async function* together(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let smallBytes = 0;
  let since = performance.now();
  for await (const piece of pieces) {
    const isLarge = piece.length >= largeBytes;
    if (!isLarge) {
      small.push(piece);
      smallBytes += piece.length;
    }
    if (smallBytes > 0 && (isLarge || smallBytes >= togetherBytes)) {
      yield Buffer.concat(small);
      [small, smallBytes] = [[], 0];
    }
    if (isLarge) yield piece;
    if (performance.now() - since < turnMs) continue;
    await nextTurn();
    since = performance.now();
  }
  if (smallBytes > 0) yield Buffer.concat(small);
}
