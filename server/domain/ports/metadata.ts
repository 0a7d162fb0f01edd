/**
 * What can be read of each table outside a transaction; each call sees the last committed state. Each feature adds its
 * own, beside the interface of its table.
 */
export interface Readers {}

/** Each table as a transaction reads and writes it. Each feature adds its own, beside the interface of its table. */
export interface Tables {}

export type TableName = keyof Tables;

/** A transaction, with the tables that a use case names. */
export type Transaction<Names extends TableName = TableName> = Pick<Tables, Names> & {
  /** Milliseconds since the epoch, fixed when the transaction began. */
  readonly now: number;
  /**
   * Calls `callback` as soon as the writes are committed, before anybody can read them, so that what is kept in memory
   * beside the rows changes with them. Never when they are undone. It must be quick and throw nothing.
   */
  afterCommit(callback: () => void): void;
};

/** How a transaction is kept. */
export interface AtomicOptions {
  /** `false` for what need not survive a power cut, such as when a key was last used: it is answered sooner. */
  readonly isLasting?: boolean;
  /** `true` where whoever asks tells the CDN of the files that the transaction hides, and waits for it. */
  readonly isCdnTold?: boolean;
}

/** Everything that is a row, or of it the tables that a use case names. */
export interface Metadata<Names extends TableName = TableName> {
  readonly read: Pick<Readers, Names & keyof Readers>;
  /**
   * Runs `work` alone and resolves once its writes would survive a power cut. When `work` throws, nothing of it is
   * kept. Inside `work`, await only the transaction's own calls: no bytes, no network, no timers. Nesting is a fault.
   */
  atomically<T>(work: (tx: Transaction<Names>) => Promise<T>, options?: AtomicOptions): Promise<T>;
}

/** A store that is only read. */
export type Reads<Names extends keyof Readers> = Pick<Metadata<Names>, 'read'>;

/** A store that is asked and written in transactions alone. */
export type Writes<Names extends TableName> = Pick<Metadata<Names>, 'atomically'>;

/** The metadata store cannot do its work at the moment; the request may be tried again. */
export class MetadataUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MetadataUnavailable';
  }
}

/** The disk of the metadata store has no room for what was to be written, not even what is kept for that. */
export class MetadataFull extends MetadataUnavailable {
  constructor(cause: unknown) {
    super('The disk of the database is full.', cause);
    this.name = 'MetadataFull';
  }
}
