/**
 * The readers outside a transaction. Each call sees the last committed state. Each feature adds its own, beside the
 * interface of its table.
 */
export interface Readers {}

/** The tables as a transaction reads and writes them. Each feature adds its own, beside the interface of its table. */
export interface Tables {}

export type TableName = keyof Tables;

/** A transaction, with the tables that a use case names. */
export type Transaction<Names extends TableName = TableName> = Pick<Tables, Names> & {
  /** Milliseconds since the epoch, fixed when the transaction began. */
  readonly now: number;
  /**
   * Calls `callback` when the writes are committed, before anybody can read them, so that state in memory changes
   * together with the rows. It is not called after a rollback. It must be quick and must not throw.
   */
  afterCommit(callback: () => void): void;
};

/** The options of a transaction. */
export interface AtomicOptions {
  /**
   * The account whose rows decide what is written. A store with parallel writers locks its row first, so that such
   * transactions run one after another. Left out when only the transaction finds the account: such a store then detects
   * conflicts, and runs `work` again.
   */
  readonly account?: string;
  /**
   * Whether it adds to the audit log, and reads and writes nothing else that another transaction writes. A store with
   * parallel writers locks the end of the log first, so that such transactions run one after another.
   */
  readonly isAudited?: true;
  /**
   * The job that the transaction belongs to, or the account of a job. A store that several servers share writes nothing
   * if another one has taken it since, and throws `JobLeaseLost` of job-leases.ts.
   */
  readonly lease?:
    | { readonly job: string; readonly epoch: number }
    | { readonly job: string; readonly accountId: string; readonly owner: string };
  /** False for writes that need not survive a power cut, such as the last use of a key. It resolves sooner. */
  readonly isDurable?: boolean;
  /** Names the change if the caller itself purges the files that the transaction hides, and waits for that. */
  readonly purgedChangeId?: string;
}

/** The metadata store, or the tables of it that a use case names. */
export interface Metadata<Names extends TableName = TableName> {
  readonly read: Pick<Readers, Names & keyof Readers>;
  /**
   * Runs `work` in a transaction, and resolves when its writes would survive a power cut. If `work` throws, all its
   * writes are undone. Inside `work`, await only the transaction's own calls: no bytes, no network, no timers. Nesting
   * is a fault.
   *
   * `work` may run more than once. Several share a transaction, and when one of them throws or the disk is full, all
   * are undone and run again. So it writes rows and nothing else, and changes no state that a second run would meet.
   * What has to follow a commit is in `tx.afterCommit`.
   *
   * With a CDN, `server/features/files/backends/public-changes.ts` wraps this to note changed public files for it.
   */
  atomically<T>(work: (tx: Transaction<Names>) => Promise<T>, options?: AtomicOptions): Promise<T>;
}

/** A store that is only read. */
export type Reads<Names extends keyof Readers> = Pick<Metadata<Names>, 'read'>;

/** A store that is read and written only in transactions. */
export type Writes<Names extends TableName> = Pick<Metadata<Names>, 'atomically'>;

/** The metadata store failed, for instance because its disk is broken. The request may be tried again. */
export class MetadataFailed extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MetadataFailed';
  }
}

/**
 * The metadata store cannot be reached, or takes no work at the moment. Nothing is known to be wrong with it or with
 * the request, so clients get 503 and try again.
 */
export class MetadataUnavailable extends MetadataFailed {
  override readonly name: string = 'MetadataUnavailable';
}

/** The rows are moving to another store, which takes seconds, or have moved there. This one takes no writes. */
export class MetadataMoving extends MetadataUnavailable {
  override readonly name = 'MetadataMoving';

  constructor(cause: unknown) {
    super(
      'The rows are moving to another store, or have moved: see "cubby store migrate". This one takes no writes.',
      cause,
    );
  }
}

/** The disk of the metadata store has no space for a write, not even in the reserve. */
export class MetadataFull extends MetadataFailed {
  constructor(cause: unknown) {
    super('The disk of the database is full.', cause);
    this.name = 'MetadataFull';
  }
}
