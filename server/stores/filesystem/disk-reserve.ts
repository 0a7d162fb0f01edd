import { randomBytes } from 'node:crypto';
import { statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';

const pieceBytes = 1024 * 1024;

/**
 * A file that takes room while there is some, to give it back to the database when another program has filled the disk:
 * a deletion writes rows before it frees bytes. It is given back a part at a time, so that the next start on a disk
 * that is still full finds some too. Several processes may use it.
 *
 * @see D-249
 */
export class DiskReserve {
  /** Its size while there is room. */
  readonly fullBytes: number;
  readonly #path: string;
  #restoring: Promise<void> | undefined;

  /** @param fullBytes 0 for none at all */
  constructor(path: string, fullBytes: number) {
    this.#path = path;
    this.fullBytes = fullBytes;
  }

  /** What it holds now. */
  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** What it lacks. */
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
      return false; // another user's, or a file system that takes room to give some back
    }
  }

  /**
   * Fills it again. A disk that has no room for all of it after all keeps what fits. One at a time; further calls share
   * it.
   */
  restore(): Promise<void> {
    return (this.#restoring ??= this.#fill().finally(() => (this.#restoring = undefined)));
  }

  async #fill(): Promise<void> {
    if (this.missingBytes === 0) return;
    // Some file systems store no zeros, and nothing twice.
    const bytes = randomBytes(pieceBytes);
    const file = await open(this.#path, 'a', 0o600);
    try {
      for (let missing = this.missingBytes; missing > 0; missing = this.missingBytes) {
        bytes.writeUInt32BE(missing % 0xffff_ffff, 0);
        await file.write(bytes.subarray(0, Math.min(missing, pieceBytes)));
      }
    } catch (error) {
      if (!isNoRoom(error)) throw error;
    } finally {
      await file.close();
    }
  }
}

/** Whether the system says that a disk, or this user's share of it, has no room. */
export function isNoRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
