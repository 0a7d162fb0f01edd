/**
 * Room for new bytes on the disks of the stores. Some of it is always kept free, so that deleting, reading and starting
 * work on a full disk.
 */
export interface DiskRoom {
  /**
   * To be asked before a byte of a request is read. Costs next to nothing: what the disk said is remembered for a
   * moment.
   *
   * @param bytes what the request announces, where it does
   * @returns a function to call once the request is over: the room that it was given is then counted as written. May be
   *   called twice
   * @throws INSUFFICIENT_STORAGE when they do not fit above what is kept free
   */
  require(bytes: number | undefined): Promise<() => void>;
  state(): DiskState;
}

/** How full the disk is, as it was seen last. */
export interface DiskState {
  /** Less than a mebibyte is left above what is kept free: hardly anything is taken in. */
  readonly isFull: boolean;
  readonly freeBytes: number;
  /** What is kept free. */
  readonly floorBytes: number;
  /** What a file holds beside that, for the writes of deletions when another program has filled the disk. */
  readonly reserveBytes: number;
}

/** A place where there is always room, for use cases on their own. */
export const endlessRoom: DiskRoom = {
  require: async () => () => {},
  state: () => ({ isFull: false, freeBytes: Number.MAX_SAFE_INTEGER, floorBytes: 0, reserveBytes: 0 }),
};
