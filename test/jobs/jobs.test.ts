import { expect, it } from 'vitest';

import type { Job, JobDeps } from '#server/domain/jobs/job.ts';
import type { Feature } from '#server/feature.ts';
import { jobsOf } from '#server/jobs/jobs.ts';

/** Returns a feature with a part of the job `tidy`. */
function withPart(stage: Job['stage'], count: number, trustsClock = false): Feature {
  return { name: `of ${stage}`, needs: [], jobs: { tidy: { stage, trustsClock, run: async () => count } } };
}

it('jobsOf() joins the parts of a job, which wait for the clock if one does', async () => {
  const { tidy } = jobsOf([withPart('rows', 2), withPart('rows', 3, true)]);
  expect(tidy).toMatchObject({ stage: 'rows', trustsClock: true });
  expect(await tidy!.run({} as JobDeps, 0)).toBe(5);
});

it('jobsOf() refuses parts of a job in different stages, because only one of them would run in its own', () => {
  expect(() => jobsOf([withPart('rows', 2), withPart('blobs', 3)])).toThrow(
    'Parts of the job tidy are in different stages: rows, blobs.',
  );
});
