import type { BlobQuarantine, BlobStore, BlobUpkeep } from '../ports/blobs.ts';
import type { AccountLeases } from '../ports/job-leases.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { ScrubSettings } from '../store-check/scrub.ts';

/** What the jobs of features take from the configuration. Each adds its own to this type. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface JobSettings {}

/** What the jobs work with. */
export interface JobDeps extends JobSettings {
  readonly metadata: Metadata;
  /** Undefined if only one server runs jobs. */
  readonly accountLeases?: AccountLeases | undefined;
  readonly blobs: Pick<BlobStore, 'delete' | 'ids' | 'open' | 'openInline'>;
  readonly blobUpkeep?: BlobUpkeep;
  readonly quarantine?: BlobQuarantine;
  readonly secrets: Secrets;
  /** Without it, the scrub does nothing. */
  readonly scrub?: ScrubSettings | undefined;
  /** How long events are kept. */
  readonly eventsKeptMs: number;
  /** Aborted when the server stops, for long jobs. */
  readonly signal?: AbortSignal;
}

/**
 * The stages of a run of all jobs, in order. Files and uploads end first, then rows and accounts. Blobs are removed
 * after the rows that named them, and what reads contents takes longest.
 */
export const jobStages = ['files', 'rows', 'accounts', 'blobs', 'contents'] as const;

/** A background job, or the part of a feature in one. */
export interface Job {
  readonly stage: (typeof jobStages)[number];
  /** Whether a wrong clock could make it delete too much. Such a job waits after a jump of the clock. */
  readonly trustsClock: boolean;
  /**
   * Whether several servers run it at once and share its accounts out among them, with `withAccounts()`. Of any other
   * job, one server has the lease.
   */
  readonly isByAccount?: true;
  /** The time between two runs, in ms, for a job that reads all rows. Default: that of the schedule. */
  readonly everyMs?: number;
  /** Does all work that is due at `now`. Returns the number of items. Two runs may overlap. */
  run(deps: JobDeps, now: number): Promise<number>;
}

/** Jobs by their names. */
export type Jobs<Name extends string = string> = Readonly<Record<Name, Job>>;
