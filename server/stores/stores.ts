import type { DatabaseCopies } from '#server/domain/backup/database-copies.ts';
import type { JobSettings } from '#server/domain/jobs/job.ts';
import type { EventSignals } from '#server/domain/events/event-signals.ts';
import type { ClockBaselines } from '#server/domain/jobs/table.ts';
import type { Installation } from '#server/domain/operator/installation.ts';
import type { BlobAddresses, BlobQuarantine, BlobStore, BlobUpkeep } from '#server/domain/ports/blobs.ts';
import type { Clock, MonotonicClock } from '#server/domain/ports/clock.ts';
import type { DiskSpace } from '#server/domain/ports/disk-space.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { AccountLeases } from '#server/domain/ports/job-leases.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Replicas } from '#server/domain/ports/replicas.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { ScrubSettings } from '#server/domain/store-check/scrub.ts';
import type { Encryption } from './encrypted/encryption.ts';
import type { SharedState } from './engine.ts';

/** What features around the rows have for those who use them. Each adds its own to this type. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface StorePorts {}

/** The stores, and the secrets of the master key: everything that operator commands need. */
export interface Stores extends StorePorts, JobSettings {
  readonly metadata: Metadata;
  /** Undefined if the database's own tools copy it. */
  readonly databaseCopies: DatabaseCopies | undefined;
  /** Set if other servers may use the database at the same time. */
  readonly shared: SharedState | undefined;
  /** Set if other servers may run jobs at the same time. */
  readonly accountLeases: AccountLeases | undefined;
  /** The servers of the installation. */
  readonly replicas: Replicas;
  readonly blobs: BlobStore;
  /** The keys of encrypted blobs. Wraps other stores of this installation's blobs too, such as those of backups. */
  readonly encryption: Pick<Encryption, 'key' | 'encrypt'>;
  readonly blobUpkeep: BlobUpkeep;
  readonly quarantine: BlobQuarantine;
  /** Returns what the database itself finds wrong, one sentence each. Reads all of it, and may block this thread. */
  readonly databaseProblems: () => Promise<string[]>;
  /** Set if clients are to be sent to the store of the blobs itself. */
  readonly blobAddresses: BlobAddresses | undefined;
  /** Whether the store of the blobs does not work at the moment. Undefined if it is a part of this machine. */
  readonly areBlobsDown: (() => boolean) | undefined;
  readonly scrub: ScrubSettings;
  /** Signals new events of this process. */
  readonly eventSignals: EventSignals;
  /** How long events are kept. */
  readonly eventsKeptMs: number;
  readonly diskSpace: DiskSpace;
  readonly secrets: Secrets;
  /** Reads from the database which master keys are valid. It is also done every few seconds. */
  readonly reloadMasterKey: () => Promise<void>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly clockBaselines: ClockBaselines;
  /** The lengths of the queues of the stores, by their names in the metrics. */
  readonly queues: Readonly<Record<string, () => number>>;
  /** Where the rows and the larger files are. */
  readonly places: Pick<Installation, 'database' | 'blobs'>;
  close(): Promise<void>;
}
