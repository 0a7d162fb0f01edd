import type { StatsCache } from '#server/domain/account/account-stats.ts';
import type { KnownModels } from '#server/domain/access/known-models.ts';
import type { JobDeps, Jobs } from '#server/domain/jobs/job.ts';
import type { RequestedJobs } from '#server/domain/jobs/run-job.ts';
import type { ClockReading } from '#server/domain/jobs/watch-clock.ts';
import type { Installation } from '#server/domain/operator/installation.ts';
import type { OperatorBackups } from '#server/domain/operator/backups.ts';
import type { DiskSpace } from '#server/domain/ports/disk-space.ts';
import type { Replicas } from '#server/domain/ports/replicas.ts';
import type { CorePorts } from '../ports.ts';
import type { SignInDeps } from '../sign-in-guard.ts';

/** The ports of the operator's door. */
export interface OperatorPorts extends CorePorts, SignInDeps, Omit<JobDeps, 'metadata'> {
  readonly cache: StatsCache;
  readonly models: KnownModels;
  readonly diskSpace: Pick<DiskSpace, 'state'>;
  readonly places: Pick<Installation, 'database' | 'blobs'>;
  readonly replicas: Pick<Replicas, 'list'>;
  readonly version: string;
  /** Returns the configuration in force. */
  readonly settings: () => Array<{
    readonly name: string;
    readonly value: string | null;
    readonly source: 'default' | 'environment';
  }>;
  readonly backups: OperatorBackups;
  /** Lets this server read at once what an operator requested. */
  readonly onScrubStarted: () => void;
  readonly jobs: Jobs;
  readonly requestedJobs: RequestedJobs;
  readonly readClock: () => Promise<ClockReading>;
}
