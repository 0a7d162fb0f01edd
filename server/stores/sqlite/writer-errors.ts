/* Failures of the writer, besides SQLite's own errors. */

/** Another process had the database's lock for too long. Nothing was written, and the request may be tried again. */
export class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked';

  constructor(waitedMs: number, cause: unknown) {
    super(`Another process has had the lock of the database for ${Math.round(waitedMs)} ms.`, { cause });
  }
}

/** `atomically()` was called after `close()`. */
export class WriterClosed extends Error {
  override readonly name = 'WriterClosed';

  constructor() {
    super('The database is being closed: it takes no new work.');
  }
}

/** The log could not be synced: a power cut may lose committed rows. Nothing more is written. */
export class LogLost extends Error {
  override readonly name = 'LogLost';

  constructor(cause: unknown) {
    super(
      'The log of the database could not be synced to the disk. Nothing more is written until the database is ' +
        'opened again.',
      { cause },
    );
  }
}
