import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Thrown for a file that is longer than it may be. */
export class FileTooLong extends Error {
  readonly code = 'EFBIG';
  readonly sizeBytes: number;

  constructor(sizeBytes: number) {
    super(`The file has ${sizeBytes} bytes.`);
    this.name = 'FileTooLong';
    this.sizeBytes = sizeBytes;
  }
}

/** Thrown for a folder, a pipe, a socket or a device. */
class NoRegularFile extends Error {
  readonly code = 'no regular file';

  constructor() {
    super('It is no regular file.');
    this.name = 'NoRegularFile';
  }
}

/**
 * Reads a small file at once. It never waits and reads no more than it may, because a running server reads such files
 * too: a pipe without a writer or an endless device would stop it.
 *
 * @throws {FileTooLong}
 * @throws {NoRegularFile}
 * @throws the error of the system
 */
export function readSmallFile(path: string, maxBytes: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new NoRegularFile();
    if (stats.size > maxBytes) throw new FileTooLong(stats.size);
    // Files of /proc have no size, and a file may grow meanwhile.
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > maxBytes) throw new FileTooLong(length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
