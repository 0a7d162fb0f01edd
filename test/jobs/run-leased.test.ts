import { expect, it } from 'vitest';

import type { JobLeases } from '#server/domain/ports/job-leases.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { runLeased } from '#server/jobs/run-leased.ts';

/** Leases that note how much earlier than its pause the next run may begin. */
function noted() {
  const earlier: (number | undefined)[] = [];
  const leases: JobLeases = {
    take: async (job) => ({ job, epoch: 1 }),
    end: async (_lease, earlierMs) => void earlier.push(earlierMs),
  };
  return { earlier, deps: { leases, metadata: {} as Metadata } };
}

const pause = { pauseMs: 1000, afterFailureMs: 100 };

it('a run that has ended keeps the whole pause', async () => {
  const { earlier, deps } = noted();
  expect([await runLeased(deps, 'one', pause, async () => 3), earlier]).toEqual([3, [0]]);
});

it('a run that fails, or that was aborted, may be repeated after the shorter pause', async () => {
  const { earlier, deps } = noted();
  await expect(runLeased(deps, 'one', pause, () => Promise.reject(new Error('no bucket')))).rejects.toThrow();
  await runLeased(deps, 'one', { ...pause, signal: AbortSignal.abort() }, async () => 1);
  await expect(runLeased(deps, 'one', { pauseMs: 0 }, () => Promise.reject(new Error('no bucket')))).rejects.toThrow();
  expect(earlier).toEqual([900, 900, 0]);
});
