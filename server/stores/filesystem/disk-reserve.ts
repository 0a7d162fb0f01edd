import { randomBytes } from 'node:crypto';
import { statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';

const pieceBytes = 1024 * 1024;

/**
 * A file that reserves space for the database. A deletion writes rows before it frees bytes, so it needs space even
 * when another program has filled the disk. The file is released in parts, so that the next start on a full disk finds
 * some too. Several processes may use it.
 *
 * @see DECISIONS, "Disk space is claimed, and some is in reserve"
 */
export class DiskReserve {
  /** Its size while there is space. */
  readonly fullBytes: number;
  readonly #path: string;
  #restoring: Promise<void> | undefined;

  /** @param fullBytes 0 for no reserve */
  constructor(path: string, fullBytes: number) {
    this.#path = path;
    this.fullBytes = fullBytes;
  }

  /** Its size now. */
  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Bytes that it lacks to be full. */
  get missingBytes(): number {
    return Math.max(0, this.fullBytes - this.bytes);
  }

  /** Frees a quarter of the reserve, at least 1 MiB, before it returns. Returns false when nothing was left to free. */
  release(): boolean {
    const { bytes } = this;
    if (bytes === 0) return false;
    try {
      truncateSync(this.#path, Math.max(0, bytes - Math.max(pieceBytes, Math.ceil(bytes / 4))));
      return true;
    } catch {
      return false; // another user owns it, or the file system needs space to free some
    }
  }

  /** Fills it again. If the disk has no space for all of it, it keeps what fits. Parallel calls share one run. */
  restore(): Promise<void> {
    return (this.#restoring ??= this.#fill().finally(() => (this.#restoring = undefined)));
  }

  async #fill(): Promise<void> {
    if (this.missingBytes === 0) return;
    // Random bytes: some file systems store zeros and repeated blocks without taking space.
    const bytes = randomBytes(pieceBytes);
    await using file = await open(this.#path, 'a', 0o600);
    try {
      for (let missing = this.missingBytes; missing > 0; missing = this.missingBytes) {
        bytes.writeUInt32BE(missing % 0xffff_ffff, 0);
        await file.write(bytes.subarray(0, Math.min(missing, pieceBytes)));
      }
    } catch (error) {
      if (!isNoSpace(error)) throw error;
    }
  }
}

/** Returns whether the system says that a disk, or this user's quota on it, is full. */
export function isNoSpace(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
