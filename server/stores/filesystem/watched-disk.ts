import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

import { maxInlineBytes } from '#server/domain/limits.ts';
import { BlobStoreFull } from '#server/domain/ports/blobs.ts';
import type { DiskRoom, DiskState } from '#server/domain/ports/disk-room.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { DiskReserve } from './disk-reserve.ts';

const mib = 1024 * 1024;

/** What is kept free unless the operator says otherwise: so much, or so small a part of the disk where that is less. */
const standardFloor = { bytes: 256 * mib, share: 0.01 };

/**
 * A quarter of what is kept free is in the reserve's file, within these. The larger one is twice the write-ahead log at
 * its longest.
 */
const reserveBytes = { least: 4 * mib, most: 64 * mib };

/** What the disk said is believed for so long; before somebody is refused, for no longer than this. */
const believedMs = 1_000;
const believedForRefusalMs = 100;

/** Bytes that come without an announcement claim room in such steps. */
const stepBytes = mib;

/** A small file is written twice, into the log and from there into the database, with rows around it. */
const rowBytes = 8 * 1024;

/** Room for one file on its way in. */
export interface RoomClaim {
  /** Before so many bytes in all are written. @throws {BlobStoreFull} */
  cover(bytes: number): Promise<void>;
  /** So many more bytes have been written. */
  wrote(bytes: number): void;
  /** What was claimed and not written is free again. May be called twice. */
  end(): void;
}

export interface WatchedDiskOptions {
  /** The folders that are written to. They may lie on different disks; the fullest one counts. */
  readonly folders: readonly string[];
  readonly reservePath: string;
  /** Null for what suits the disk. 0 keeps nothing free and has no reserve. */
  readonly minFreeBytes: number | null;
  /** Told when a reading shows that the disk has become full, or has room again. */
  readonly onChange?: (state: DiskState) => void;
  readonly now?: () => number;
  readonly read?: (folder: string) => Promise<Disk>;
}

/**
 * The room on the disks of a data folder. Free space is asked of the system once in a second at the most; in between,
 * what was claimed and what was written since is taken off, so that any number of parallel uploads stays above the
 * floor.
 */
export class WatchedDisk implements DiskRoom {
  readonly reserve: DiskReserve;
  readonly floorBytes: number;
  readonly #options: Required<Omit<WatchedDiskOptions, 'reservePath'>>;
  #freeBytes: number;
  #readAt: number;
  #wasFull = false;
  #reading: Promise<void> | undefined;
  /** Claimed and not written yet. */
  #claimedBytes = 0;
  /** Written since the last reading began, so that it may not have counted them. */
  #writtenBytes = 0;

  private constructor({ reservePath, ...options }: Required<WatchedDiskOptions>, disks: readonly Disk[]) {
    this.#options = options;
    this.floorBytes = options.minFreeBytes ?? Math.min(...disks.map(standardFloorOf));
    const quarter = Math.floor(this.floorBytes / 4);
    this.reserve = new DiskReserve(
      reservePath,
      this.floorBytes === 0 ? 0 : Math.min(reserveBytes.most, Math.max(reserveBytes.least, quarter)),
    );
    this.#freeBytes = Math.min(...disks.map(free));
    this.#readAt = options.now();
  }

  static async open(options: WatchedDiskOptions): Promise<WatchedDisk> {
    const all = {
      now: () => performance.now(),
      read: (folder: string) => statfs(folder),
      onChange: () => {},
      ...options,
    };
    return new WatchedDisk(all, await Promise.all(all.folders.map((folder) => all.read(folder))));
  }

  async require(bytes = 0): Promise<() => void> {
    // A larger one claims its room when its blob is opened.
    const isSmall = bytes <= maxInlineBytes;
    let heldBytes = isSmall ? 2 * bytes + rowBytes : 0;
    if (!(await this.#taken(Math.max(1, bytes), () => void (this.#claimedBytes += heldBytes))))
      throw noRoom(bytes, this.#left() > 0);
    return () => {
      // Held until the row is stored: a reading in between would forget bytes that are not on the disk yet.
      this.#claimedBytes -= heldBytes;
      this.#writtenBytes += heldBytes;
      heldBytes = 0;
    };
  }

  /** @throws {BlobStoreFull} */
  async claim(announcedBytes: number | undefined): Promise<RoomClaim> {
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
      end: () => {
        this.#claimedBytes -= claimedBytes - writtenBytes;
        claimedBytes = writtenBytes;
      },
    };
  }

  state(): DiskState {
    return {
      isFull: this.#freeBytes - this.floorBytes < stepBytes,
      freeBytes: this.#freeBytes,
      floorBytes: this.floorBytes,
      reserveBytes: this.reserve.bytes,
    };
  }

  /** Asks the system anew, and takes the reserve again when there is room for it above the floor. */
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

  /** Takes room where there is so much. Asked and taken in one turn: nobody else is given the same room. */
  async #taken(bytes: number, take: () => void): Promise<boolean> {
    if (this.#ageMs() > believedMs) await this.#read();
    // Somebody may have made room a moment ago.
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
    this.#freeBytes = Math.min(...disks.map(free));
    this.#readAt = at;
    this.#writtenBytes -= countedBytes;
    const state = this.state();
    if (state.isFull === this.#wasFull) return;
    this.#wasFull = state.isFull;
    onChange(state);
  }
}

type Disk = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>;

/** Some file systems have no size of their own, and say so with 0 blocks. */
function free({ bavail, bsize, blocks }: Disk): number {
  return blocks === 0 ? Number.MAX_SAFE_INTEGER : bavail * bsize;
}

function standardFloorOf({ bsize, blocks }: Disk): number {
  return blocks === 0
    ? standardFloor.bytes
    : Math.min(standardFloor.bytes, Math.floor(blocks * bsize * standardFloor.share));
}

function noRoom(bytes: number, isRoomForLess: boolean): Refusal {
  if (!isRoomForLess) return new Refusal('INSUFFICIENT_STORAGE');
  return new Refusal('INSUFFICIENT_STORAGE', {
    message: `The disk of the server has no room for these ${bytes} bytes. Nothing was read or stored. Send a smaller file, or try again when there is room.`,
  });
}
