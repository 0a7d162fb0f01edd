import { hash } from 'node:crypto';
import { constants, open, type FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

import { fingerprintBytes, type LogCheckpoint } from '../../log-checkpoint.ts';
import { Failure } from '#server/cli/operator.ts';

const chunkBytes = 256 * 1024;

/** The first bytes of every gzip file. @see RFC 1952, section 2.3.1 */
const gzipMagic = [0x1f, 0x8b];

/** A position in the uncompressed text of a log. */
interface LogPosition {
  /** Bytes before the position. */
  readonly offset: number;
  readonly lines: number;
  /** The first bytes of the log, and the last bytes before the position. Each is at most as long as a fingerprint. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The furthest checkpoint of a log, and its position there. */
export interface KnownLog {
  readonly checkpoint: LogCheckpoint;
  readonly position: LogPosition;
}

/** An open access log. */
export class LogFile {
  readonly path: string;
  readonly isCompressed: boolean;
  /** Device and inode, as text. */
  readonly inode: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle, inode: string, isCompressed: boolean) {
    this.path = path;
    this.#handle = handle;
    this.inode = inode;
    this.isCompressed = isCompressed;
  }

  /**
   * Opens a log for reading.
   *
   * @throws {Failure} when the path is not a regular file
   */
  static async open(path: string): Promise<LogFile> {
    // O_NONBLOCK keeps a pipe without a writer from blocking the command. It does not affect files.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat({ bigint: true });
      if (!found.isFile()) throw new Failure(`${path} is not a regular file.`);
      const magic = Buffer.alloc(2);
      await handle.read(magic, 0, 2, 0);
      return new LogFile(path, handle, inodeOf(found), magic.equals(Buffer.from(gzipMagic)));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }

  /** Reads up to `length` bytes of the file as stored, without decompressing. */
  async bytesAt(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, length));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, filled, bytes.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  /**
   * Reads the log from `offset` to its current end. A chunk is valid only until the next one is requested.
   *
   * Each read also covers the bytes just before its position. Reading ends when these are no longer `recent`, because
   * the file was truncated and written anew. A separate check before the read would miss a truncation between the two.
   */
  async *from(offset: number, recent: Buffer = Buffer.alloc(0)): AsyncGenerator<Buffer> {
    if (this.isCompressed) return yield* skipped(this.#unpacked(), offset);
    const bytes = Buffer.allocUnsafe(fingerprintBytes + chunkBytes);
    let before = recent;
    for (let at = offset; ;) {
      const { bytesRead } = await this.#handle.read(bytes, 0, before.length + chunkBytes, at - before.length);
      const chunk = bytes.subarray(before.length, bytesRead);
      if (chunk.length === 0 || !bytes.subarray(0, before.length).equals(before)) return;
      at += chunk.length;
      before = lastOf(before, chunk);
      yield chunk;
    }
  }

  #unpacked(): AsyncIterable<Buffer> {
    const packed = this.#handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes });
    const unpacked = createGunzip({ chunkSize: chunkBytes });
    packed.once('error', (error) => unpacked.destroy(error));
    return packed.pipe(unpacked);
  }

  /** Finds the furthest checkpoint whose bytes this log contains. `undefined` if the log was never read. */
  async positionAmong(checkpoints: readonly LogCheckpoint[]): Promise<KnownLog | undefined> {
    const head = await this.#head();
    const candidates = beginningLike(head, checkpoints).sort((a, b) => a.offset - b.offset);
    if (candidates.length === 0) return undefined;
    const tails = this.isCompressed
      ? await this.#tailsUnpacked(candidates)
      : await Promise.all(candidates.map(({ offset }) => this.tailAt(offset)));
    const index = candidates.findLastIndex(
      ({ tailSha256 }, at) => tails[at] !== undefined && sha256(tails[at]) === tailSha256,
    );
    const checkpoint = candidates[index];
    return (
      checkpoint && {
        checkpoint,
        position: {
          offset: checkpoint.offset,
          lines: checkpoint.lines,
          head: head.subarray(0, checkpoint.offset),
          tail: tails[index]!,
        },
      }
    );
  }

  /** Returns whether the log begins like one that was read before. An incomplete copy does too. */
  async beginsLikeOneOf(checkpoints: readonly LogCheckpoint[]): Promise<boolean> {
    return beginningLike(await this.#head(), checkpoints).length > 0;
  }

  async #head(): Promise<Buffer> {
    if (!this.isCompressed) return this.bytesAt(0, fingerprintBytes);
    let head: Buffer = Buffer.alloc(0);
    for await (const chunk of this.#unpacked()) {
      head = Buffer.concat([head, chunk]).subarray(0, fingerprintBytes);
      if (head.length === fingerprintBytes) break;
    }
    return head;
  }

  /** Reads the last bytes before an offset of an uncompressed file. `undefined` if the file is shorter. */
  async tailAt(offset: number): Promise<Buffer | undefined> {
    const length = Math.min(offset, fingerprintBytes);
    const tail = await this.bytesAt(offset - length, length);
    return tail.length === length ? tail : undefined;
  }

  /** Reads all tails in one pass, because a compressed file cannot be seeked. */
  async #tailsUnpacked(ascending: readonly LogCheckpoint[]): Promise<Array<Buffer | undefined>> {
    const tails: Array<Buffer | undefined> = ascending.map(() => undefined);
    let recent: Buffer = Buffer.alloc(0);
    let at = 0;
    let next = 0;
    for await (const chunk of this.#unpacked()) {
      for (; next < ascending.length && ascending[next]!.offset <= at + chunk.length; next++) {
        tails[next] = lastOf(recent, chunk.subarray(0, ascending[next]!.offset - at));
      }
      recent = lastOf(recent, chunk);
      at += chunk.length;
      if (next === ascending.length) break;
    }
    return tails;
  }
}

function beginningLike(head: Buffer, checkpoints: readonly LogCheckpoint[]): LogCheckpoint[] {
  return checkpoints.filter(
    ({ offset, headSha256 }) =>
      offset > 0 &&
      head.length >= Math.min(offset, fingerprintBytes) &&
      sha256(head.subarray(0, offset)) === headSha256,
  );
}

/** Returns device and inode as text. */
export function inodeOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** Returns the last bytes of two consecutive pieces, up to the length of a fingerprint, as a copy. */
export function lastOf(before: Buffer, after: Buffer): Buffer {
  return Buffer.concat([
    before.subarray(Math.max(0, before.length + Math.min(after.length, fingerprintBytes) - fingerprintBytes)),
    after.subarray(Math.max(0, after.length - fingerprintBytes)),
  ]);
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

async function* skipped(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
