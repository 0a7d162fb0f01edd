/**
 * Space for new bytes on the disks of the stores. Some of it is kept free, so that deleting, reading and starting work
 * on a full disk.
 */
export interface DiskSpace {
  /**
   * Checks that there is space for a request before its body is read. It claims the space of a file that goes into the
   * database. The store of blobs claims that of larger files. Cheap, because the state of the disk is cached for a
   * moment.
   *
   * @param bytes the announced size, if there is one
   * @returns a function to call when the request has ended: its space then counts as written. May be called twice
   * @throws INSUFFICIENT_STORAGE when the bytes do not fit above what is kept free, as `diskRefusal()` says it
   */
  require(bytes: number | undefined): Promise<() => void>;
  state(): DiskState;
}

/** The last known state of the disk. */
export interface DiskState {
  /** Less than a mebibyte is left above what is kept free, so hardly anything can be stored. */
  readonly isFull: boolean;
  readonly freeBytes: number;
  /** Undefined if the file system has no size of its own. */
  readonly sizeBytes: number | undefined;
  /** The bytes that are kept free. */
  readonly floorBytes: number;
  /** The size of a reserve file. It is freed for deletions when another program has filled the disk. */
  readonly reserveBytes: number;
}
