import { forgetActivity, forgetEvents, forgetSessions, forgetTraffic } from '#server/domain/jobs/forget.ts';
import { jobStages, type Job, type Jobs } from '#server/domain/jobs/job.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { removeAccounts } from '#server/domain/jobs/remove-accounts.ts';
import { sweepOrphans } from '#server/domain/jobs/sweep-orphans.ts';
import { finishMasterKeyRotation } from '#server/domain/master-key/finish-rotation.ts';
import { scrub } from '#server/domain/store-check/scrub.ts';
import type { Feature } from '#server/feature.ts';
import { accountEmptiers, blobMarkers, reseals } from '#server/feature-parts.ts';
import { features } from '#server/features.ts';

const ofCore = {
  'forget-activity': { stage: 'rows', trustsClock: true, run: forgetActivity },
  'forget-events': { stage: 'rows', trustsClock: true, run: forgetEvents },
  'forget-traffic': { stage: 'rows', trustsClock: true, run: forgetTraffic },
  // A wrong clock removes only sessions, which people can begin again.
  'forget-codes': { stage: 'rows', trustsClock: false, run: forgetSessions },
  // A wrong clock would end API keys that nobody has used yet.
  'finish-key-rotation': {
    stage: 'rows',
    trustsClock: true,
    run: (deps, now) => finishMasterKeyRotation({ ...deps, reseals }, now),
  },
  'remove-accounts': {
    stage: 'accounts',
    trustsClock: true,
    isByAccount: true,
    run: (deps, now) => removeAccounts({ ...deps, accountEmptiers }, now),
  },
  // The ages of blobs come from the clock of their store.
  'sweep-orphans': { stage: 'blobs', trustsClock: false, run: sweepOrphans },
  'reap-blobs': { stage: 'blobs', trustsClock: false, run: (deps) => reapBlobs({ ...deps, blobMarkers }) },
  // A wrong clock makes it read too much or too little, and it deletes nothing.
  scrub: { stage: 'contents', trustsClock: false, run: scrub },
} as const satisfies Jobs;

type NamesOf<Manifest> = Manifest extends { readonly jobs: infer Own } ? keyof Own : never;

/** The names of the background jobs of the core and of features. */
export type JobName = keyof typeof ofCore | NamesOf<(typeof features)[number]>;

/** Returns a job that runs its parts one after the other. @throws if they belong to different stages */
function joined(name: string, named: ReadonlyArray<readonly [name: string, part: Job]>): Job {
  const parts = named.map(([, part]) => part);
  const [stage, ...others] = new Set(parts.map((part) => part.stage));
  if (others.length > 0)
    throw new Error(`Parts of the job ${name} are in different stages: ${[stage, ...others].join(', ')}.`);
  return {
    stage: stage!,
    trustsClock: parts.some(({ trustsClock }) => trustsClock),
    ...(parts.every(({ isByAccount }) => isByAccount) && { isByAccount: true }),
    everyMs: Math.min(...parts.map(({ everyMs = 0 }) => everyMs)),
    async run(deps, now) {
      let count = 0;
      for (const part of parts) count += await part.run(deps, now);
      return count;
    },
  };
}

/** Returns the background jobs of the core and of some features, in the order in which they run. */
export function jobsOf(manifests: readonly Feature[]): Jobs {
  const parts = [...manifests.map(({ jobs: own = {} }) => own), ofCore].flatMap((own: Jobs) => Object.entries(own));
  return Object.fromEntries(
    [...Map.groupBy(parts, ([name]) => name)]
      .map(([name, named]) => [name, joined(name, named)] as const)
      .toSorted(([, one], [, other]) => jobStages.indexOf(one.stage) - jobStages.indexOf(other.stage)),
  );
}

/** All background jobs. */
export const jobs = jobsOf(features) as Jobs<JobName>;

export const jobNames = Object.keys(jobs) as JobName[];
