import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

import { diskRefusal } from '#server/domain/disk-refusal.ts';
import { maxInlineBytes } from '#server/domain/limits.ts';
import { BlobStoreFull } from '#server/domain/ports/blobs.ts';
import type { DiskSpace, DiskState } from '#server/domain/ports/disk-space.ts';
import { DiskReserve } from './disk-reserve.ts';

const mib = 1024 * 1024;

/** Kept free unless the operator configures it: this many bytes, or this share of the disk if that is less. */
const standardFloor = { bytes: 256 * mib, share: 0.01 };

/** The reserve's file has a quarter of the kept space, within these bounds. The upper one is twice the longest log. */
const reserveBytes = { least: 4 * mib, most: 64 * mib };

/**
 * How long a reading of the disk is used. Before a request is rejected, the reading must be newer than the second
 * value.
 */
const believedMs = 1_000;
const believedForRefusalMs = 100;

/** Bytes without an announced length claim space in steps of this size. */
const stepBytes = mib;

/** Space for the rows of a small file. The file is written twice: into the log, and from there into the database. */
const rowBytes = 8 * 1024;

/** Space for one file that is being received. */
export interface SpaceClaim extends Disposable {
  /**
   * Claims space up to this total. Call it before the bytes are written.
   *
   * @throws {BlobStoreFull}
   */
  cover(bytes: number): Promise<void>;
  /** Counts bytes that have been written. */
  wrote(bytes: number): void;
  /** Frees the space that was claimed but not written. May be called twice. */
  [Symbol.dispose](): void;
}

export interface WatchedDiskOptions {
  /** The folders that are written to. They may be on different disks. The fullest disk counts. */
  readonly folders: readonly string[];
  readonly reservePath: string;
  /** Null chooses by the size of the disk. 0 keeps nothing free and has no reserve. */
  readonly minFreeBytes: number | null;
  /** Whether larger files lie on this disk. Default `true`. */
  readonly holdsBlobs?: boolean;
  /** Whether the rows lie on this disk. Default `true`. */
  readonly holdsRows?: boolean;
  /** Called when a reading shows that the disk has become full or has space again. */
  readonly onChange?: (state: DiskState) => void;
  readonly now?: () => number;
  /** Reads the free space of a folder's disk. */
  readonly read?: (folder: string) => Promise<Disk>;
}

/**
 * The free space on the disks of a data folder. It is read at most once a second, or more often before a rejection. In
 * between, claimed and written bytes are subtracted, so that parallel uploads never go below the floor.
 */
export class WatchedDisk implements DiskSpace {
  readonly reserve: DiskReserve;
  readonly floorBytes: number;
  readonly #options: Required<Omit<WatchedDiskOptions, 'reservePath'>>;
  #freeBytes: number;
  #sizeBytes: number | undefined;
  #readAt: number;
  #wasFull = false;
  #reading: Promise<void> | undefined;
  /** Claimed but not written yet. */
  #claimedBytes = 0;
  /** Written since the last reading began, which may not have counted them. */
  #writtenBytes = 0;

  private constructor({ reservePath, ...options }: Required<WatchedDiskOptions>, disks: readonly Disk[]) {
    this.#options = options;
    this.floorBytes = options.minFreeBytes ?? Math.min(...disks.map(standardFloorOf));
    const quarter = Math.floor(this.floorBytes / 4);
    this.reserve = new DiskReserve(
      reservePath,
      this.floorBytes === 0 ? 0 : Math.min(reserveBytes.most, Math.max(reserveBytes.least, quarter)),
    );
    [this.#freeBytes, this.#sizeBytes] = fullest(disks);
    this.#readAt = options.now();
  }

  static async open({
    now = () => performance.now(),
    read = (folder) => statfs(folder),
    onChange = () => {},
    holdsBlobs = true,
    holdsRows = true,
    ...options
  }: WatchedDiskOptions): Promise<WatchedDisk> {
    const disks = await Promise.all(options.folders.map((folder) => read(folder)));
    return new WatchedDisk({ ...options, now, read, onChange, holdsBlobs, holdsRows }, disks);
  }

  async require(bytes = 0): Promise<() => void> {
    const { holdsRows, holdsBlobs } = this.#options;
    // A larger file claims its space when its blob is opened.
    const isSmall = bytes <= maxInlineBytes;
    if (!(holdsRows || (holdsBlobs && !isSmall))) return () => {};
    let ownBytes = isSmall ? 2 * bytes + rowBytes : 0;
    const comingBytes = isSmall || holdsBlobs ? bytes : rowBytes;
    if (!(await this.#taken(Math.max(1, comingBytes), () => void (this.#claimedBytes += ownBytes))))
      throw diskRefusal(bytes, this.#left() > 0);
    return () => {
      // Claimed until the row is stored: a reading in between would miss bytes that are not on the disk yet.
      this.#claimedBytes -= ownBytes;
      this.#writtenBytes += ownBytes;
      ownBytes = 0;
    };
  }

  /**
   * Claims space for one blob.
   *
   * @throws {BlobStoreFull}
   */
  async claim(announcedBytes: number | undefined): Promise<SpaceClaim> {
    let claimedBytes = 0;
    let writtenBytes = 0;
    const claimUpTo = (bytes: number): Promise<boolean> =>
      this.#taken(bytes - claimedBytes, () => {
        this.#claimedBytes += bytes - claimedBytes;
        claimedBytes = bytes;
      });
    const cover = async (bytes: number): Promise<void> => {
      if (bytes <= claimedBytes) return;
      if (!(await claimUpTo(bytes + stepBytes)) && !(await claimUpTo(bytes))) throw new BlobStoreFull();
    };
    if (announcedBytes !== undefined && !(await claimUpTo(announcedBytes))) throw new BlobStoreFull();
    return {
      cover,
      wrote: (bytes) => {
        writtenBytes += bytes;
        this.#claimedBytes -= bytes;
        this.#writtenBytes += bytes;
      },
      [Symbol.dispose]: () => {
        this.#claimedBytes -= claimedBytes - writtenBytes;
        claimedBytes = writtenBytes;
      },
    };
  }

  state(): DiskState {
    const { holdsRows, holdsBlobs } = this.#options;
    return {
      isFull: (holdsRows || holdsBlobs) && this.#freeBytes - this.floorBytes < stepBytes,
      freeBytes: this.#freeBytes,
      sizeBytes: this.#sizeBytes,
      floorBytes: this.floorBytes,
      reserveBytes: this.reserve.bytes,
    };
  }

  /** Reads the free space, and refills the reserve when there is space for it above the floor. */
  async refresh(): Promise<void> {
    await this.#read();
    const { missingBytes } = this.reserve;
    if (missingBytes === 0 || !(await this.#taken(missingBytes, () => void (this.#claimedBytes += missingBytes))))
      return;
    try {
      await this.reserve.restore();
    } finally {
      this.#claimedBytes -= missingBytes;
      this.#writtenBytes += missingBytes;
    }
  }

  /** Calls `take` in the same turn if there is that much space, so that nobody else gets the same space. */
  async #taken(bytes: number, take: () => void): Promise<boolean> {
    if (this.#ageMs() > believedMs) await this.#read();
    // Space may have become free a moment ago.
    if (bytes > this.#left() && this.#ageMs() > believedForRefusalMs) await this.#read();
    if (bytes > this.#left()) return false;
    take();
    return true;
  }

  #ageMs(): number {
    return this.#options.now() - this.#readAt;
  }

  #left(): number {
    return this.#freeBytes - this.floorBytes - this.#claimedBytes - this.#writtenBytes;
  }

  #read(): Promise<void> {
    return (this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined)));
  }

  async #readAll(): Promise<void> {
    const { folders, now, onChange, read } = this.#options;
    const countedBytes = this.#writtenBytes;
    const at = now();
    const disks = await Promise.all(folders.map((folder) => read(folder)));
    [this.#freeBytes, this.#sizeBytes] = fullest(disks);
    this.#readAt = at;
    this.#writtenBytes -= countedBytes;
    const state = this.state();
    if (state.isFull === this.#wasFull) return;
    this.#wasFull = state.isFull;
    onChange(state);
  }
}

type Disk = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>;

/** Some file systems have no size of their own and report 0 blocks. */
function free({ bavail, bsize, blocks }: Disk): number {
  return blocks === 0 ? Number.MAX_SAFE_INTEGER : bavail * bsize;
}

/** Returns the free space and the size of the disk with the least free space. */
function fullest(disks: readonly Disk[]): [freeBytes: number, sizeBytes: number | undefined] {
  const least = disks.reduce((one, other) => (free(other) < free(one) ? other : one));
  return [free(least), least.blocks === 0 ? undefined : least.blocks * least.bsize];
}

function standardFloorOf({ bsize, blocks }: Disk): number {
  return blocks === 0
    ? standardFloor.bytes
    : Math.min(standardFloor.bytes, Math.floor(blocks * bsize * standardFloor.share));
}
