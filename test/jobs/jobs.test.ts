import { globSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import type { Job, JobDeps } from '#server/domain/jobs/job.ts';
import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
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

it('every use case that forgets rows of a feature is a job of it', async () => {
  const root = join(import.meta.dirname, '../../server/features');
  const paths = globSync('*/forget-*.ts', { cwd: root });
  expect(paths).not.toEqual([]);
  for (const path of paths) {
    const { jobs = {} }: Feature = features.find(({ name }) => path.startsWith(`${name}/`))!;
    const exported: unknown[] = Object.values(await import(join(root, path)));
    expect(
      Object.values(jobs).some(({ run }) => exported.includes(run)),
      path,
    ).toBe(true);
  }
});
