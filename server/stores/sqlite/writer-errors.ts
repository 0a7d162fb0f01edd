/* How the writer fails beside SQLite's own errors. */

/** Another process held the database's lock for too long; nothing was written, and the request may be tried again. */
export class DatabaseLocked extends Error {
  constructor(waitedMs: number, cause: unknown) {
    super(`Another process has held the lock of the database for ${Math.round(waitedMs)} ms.`, { cause });
    this.name = 'DatabaseLocked';
  }
}

/** `atomically()` was called after `close()`. */
export class WriterClosed extends Error {
  constructor() {
    super('The database is being closed: it takes no new work.');
    this.name = 'WriterClosed';
  }
}

/** The disk did not take the log: what was committed may be gone after a power cut, and nothing more is written. */
export class LogLost extends Error {
  constructor(cause: unknown) {
    super(
      'The disk did not take what was written to the database. Nothing more is written to it until it is opened again.',
      { cause },
    );
    this.name = 'LogLost';
  }
}
