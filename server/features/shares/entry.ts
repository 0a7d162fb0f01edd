/** A file or an empty folder in an archive. */
export interface ArchiveEntry {
  /** A relative path with `/` between its names. A folder ends in `/` and has no bytes. @see safe-names.ts */
  readonly name: string;
  readonly sizeBytes: number;
  /** CRC-32 of the bytes. */
  readonly crc32: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Whether an entry is a folder. */
export function isFolder({ name }: Pick<ArchiveEntry, 'name'>): boolean {
  return name.endsWith('/');
}
