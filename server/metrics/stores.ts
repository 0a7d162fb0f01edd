import type { Instruments } from './instruments.ts';

/** Space on the disk of the data folder. */
interface DiskFigures {
  readonly isFull: boolean;
  readonly freeBytes: number;
  /** Undefined if the file system has no size of its own. */
  readonly sizeBytes: number | undefined;
  readonly floorBytes: number;
  readonly reserveBytes: number;
}

/** The sums over all accounts. */
interface StoredFigures {
  readonly accounts: number;
  readonly files: number;
  readonly bytes: number;
  readonly reservedBytes: number;
}

const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5];

/** Describes the stores: disk, bucket, database and queues. */
export function storeMetrics(create: Instruments) {
  const { counter, gauge, gauges, histogram } = create;
  const pieces = counter('transactions_total', 'Transactions committed to the database.');
  const commits = histogram(
    'commit_duration_seconds',
    'Time of one commit until it is durable, shared by all transactions of its batch.',
    commitBuckets,
  );
  const syncs = histogram(
    'database_sync_duration_seconds',
    'Time until the disk has taken the log of the SQLite database.',
    commitBuckets,
  );
  const queues = new Map<string, () => number>();
  gauges(
    'queue_length',
    'Work that waits in a queue of the server.',
    { labelNames: ['queue'], aggregator: 'sum' },
    () => Array.from(queues, ([queue, length]) => [{ queue }, length()] as const),
  );
  return {
    /** Adds the space on the disk to the metrics. */
    watchDisk: (state: () => DiskFigures) => diskMetrics(create, state),
    /** Adds the state of the bucket to the metrics. */
    watchBucket: (isDown: () => boolean) =>
      void gauge('bucket_down', '1 while the bucket does not work and larger files are refused, otherwise 0.', () =>
        Number(isDown()),
      ),
    /** Adds what all accounts store. */
    watchStored: (sums: () => Promise<StoredFigures>) => storedMetrics(create, sums),
    /** Adds the length of a queue. */
    watchQueue: (queue: string, length: () => number) => void queues.set(queue, length),
    committed(batch: { readonly pieces: number; readonly durationMs: number }) {
      pieces.inc(batch.pieces);
      commits.observe(batch.durationMs / 1000);
    },
    /** The log of the database was synced to the disk. */
    synced: ({ durationMs }: { readonly durationMs: number }) => syncs.observe(durationMs / 1000),
  };
}

function diskMetrics({ gauge }: Instruments, state: () => DiskFigures): void {
  gauge('disk_full', '1 while the disk has no space for new files and uploads are rejected, otherwise 0.', () =>
    Number(state().isFull),
  );
  gauge('disk_free_bytes', 'Free space on the disk of the data folder at the last check.', () => state().freeBytes);
  if (state().sizeBytes !== undefined)
    gauge(
      'disk_used_bytes',
      'Space on that disk that is not free for the server.',
      () => state().sizeBytes! - state().freeBytes,
    );
  gauge('disk_min_free_bytes', 'Free space that uploads leave on that disk.', () => state().floorBytes);
  gauge(
    'disk_reserve_bytes',
    'Space reserved for deletions on a disk that another program has filled.',
    () => state().reserveBytes,
  );
}

function storedMetrics({ gauge }: Instruments, sums: () => Promise<StoredFigures>): void {
  const read = (name: string, help: string, value: (figures: StoredFigures) => number) =>
    gauge(name, help, async () => value(await sums()));
  read('accounts', 'Accounts.', ({ accounts }) => accounts);
  read('stored_files', 'Files of all accounts.', ({ files }) => files);
  read('stored_bytes', 'Bytes of the files of all accounts, as quotas count them.', ({ bytes }) => bytes);
  read(
    'reserved_bytes',
    'Bytes that quotas hold for running uploads and stored parts.',
    ({ reservedBytes }) => reservedBytes,
  );
}
