import { nextTurn } from '#server/event-loop.ts';
import type { ByteRange } from '#server/domain/ports/blobs.ts';
import type { ArchiveEntry } from './entry.ts';
import {
  centralLength,
  centralRecord,
  endLength,
  endRecords,
  localLength,
  localRecord,
  type Directory,
  type NamedEntry,
} from './records.ts';

/** A piece of an archive: bytes, or a range of the bytes of one entry. */
export type ArchivePiece = { readonly bytes: Uint8Array } | { readonly entry: number; readonly range: ByteRange };

/** Entries that are laid out before other requests run: about a millisecond. */
const entriesAtOnce = 500;

/** Records of the directory leave together, up to about this size. */
const chunkBytes = 64 * 1024;

/** The place of every byte of an archive. It keeps names and numbers, and makes records as they are requested. */
export interface ArchiveLayout {
  readonly sizeBytes: number;
  /** Returns the pieces of a range, in order. */
  pieces(range: ByteRange): Generator<ArchivePiece>;
}

/**
 * Lays out an archive. Its bytes follow from the entries alone.
 *
 * @param onRecord called with the record before each entry's bytes, for a hash of the archive
 */
export async function layOut(
  entries: readonly ArchiveEntry[],
  onRecord: (record: Uint8Array, entry: number) => void = () => {},
): Promise<ArchiveLayout> {
  const named: NamedEntry[] = [];
  const offsets: number[] = [];
  const directoryOffsets: number[] = [];
  let end = 0;
  for (const [at, entry] of entries.entries()) {
    if (at % entriesAtOnce === entriesAtOnce - 1) await nextTurn();
    const one = { ...entry, nameBytes: Buffer.from(entry.name) };
    named.push(one);
    offsets.push(end);
    onRecord(localRecord(one), at);
    end += localLength(one) + entry.sizeBytes;
  }
  const offset = end;
  for (const [at, one] of named.entries()) {
    directoryOffsets.push(end);
    end += centralLength(one, offsets[at]!);
  }
  return new Layout(named, offsets, directoryOffsets, { entries: named.length, offset, sizeBytes: end - offset });
}

class Layout implements ArchiveLayout {
  readonly sizeBytes: number;
  readonly #entries: readonly NamedEntry[];
  /** Where the local record of each entry begins. */
  readonly #offsets: readonly number[];
  /** Where the record of each entry in the directory begins. */
  readonly #directoryOffsets: readonly number[];
  readonly #directory: Directory;

  constructor(
    entries: readonly NamedEntry[],
    offsets: readonly number[],
    directoryOffsets: readonly number[],
    directory: Directory,
  ) {
    this.#entries = entries;
    this.#offsets = offsets;
    this.#directoryOffsets = directoryOffsets;
    this.#directory = directory;
    this.sizeBytes = directory.offset + directory.sizeBytes + endLength(directory);
  }

  *pieces(range: ByteRange): Generator<ArchivePiece> {
    yield* this.#filePieces(range);
    yield* this.#directoryPieces(range);
    const { offset, sizeBytes } = this.#directory;
    const bytes = within(endRecords(this.#directory), offset + sizeBytes, range);
    if (bytes) yield { bytes };
  }

  *#filePieces(range: ByteRange): Generator<ArchivePiece> {
    for (let at = lastAtOrBefore(this.#offsets, range.start); at < this.#entries.length; at++) {
      const entry = this.#entries[at]!;
      const offset = this.#offsets[at]!;
      if (offset > range.end) return;
      const bytesFrom = offset + localLength(entry);
      const record = range.start < bytesFrom ? within(localRecord(entry), offset, range) : undefined;
      if (record) yield { bytes: record };
      const start = Math.max(range.start - bytesFrom, 0);
      const end = Math.min(range.end - bytesFrom, entry.sizeBytes - 1);
      if (start <= end) yield { entry: at, range: { start, end } };
    }
  }

  *#directoryPieces(range: ByteRange): Generator<ArchivePiece> {
    if (range.end < this.#directory.offset) return;
    let together: Uint8Array[] = [];
    let bytes = 0;
    for (let at = lastAtOrBefore(this.#directoryOffsets, range.start); at < this.#entries.length; at++) {
      const offset = this.#directoryOffsets[at]!;
      if (offset > range.end) break;
      const record = within(centralRecord(this.#entries[at]!, this.#offsets[at]!), offset, range);
      if (!record) continue;
      together.push(record);
      bytes += record.length;
      if (bytes < chunkBytes) continue;
      yield { bytes: Buffer.concat(together) };
      [together, bytes] = [[], 0];
    }
    if (bytes > 0) yield { bytes: Buffer.concat(together) };
  }
}

/** Returns the part of a record that lies in a range of the archive. */
function within(record: Uint8Array, offset: number, { start, end }: ByteRange): Uint8Array | undefined {
  const from = Math.max(start - offset, 0);
  const to = Math.min(end - offset + 1, record.length);
  return from < to ? record.subarray(from, to) : undefined;
}

/** Returns the index of the last number that is not beyond `value`, or 0. The numbers grow. */
function lastAtOrBefore(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}
