import { describe, expect, it } from 'vitest';

import { requestedJobs } from '#server/jobs/requested-jobs.ts';

const unexpected = () => expect.unreachable();

describe('requestedJobs()', () => {
  it('returns the count of a job that ends in time', async () => {
    const asked = requestedJobs({ onFault: unexpected });
    expect(await asked.run('scrub', async () => 3)).toBe(3);
    await expect(asked.run('scrub', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await asked.stop();
  });

  it('returns undefined for a job that goes on, begins it once, and waits for it at the stop', async () => {
    const asked = requestedJobs({ onFault: unexpected, patienceMs: 5 });
    const gate = Promise.withResolvers<number>();
    let begun = 0;
    const work = () => {
      begun++;
      return gate.promise;
    };
    expect(await Promise.all([asked.run('scrub', work), asked.run('scrub', work)])).toEqual([undefined, undefined]);
    expect(await asked.run('reap-blobs', async () => 1)).toBe(1);
    let isStopped = false;
    const stopped = asked.stop().then(() => (isStopped = true));
    await asked.run('scrub', work);
    expect([begun, isStopped]).toEqual([1, false]);
    gate.resolve(7);
    await stopped;
    expect(await asked.run('scrub', work)).toBe(7);
    expect(begun).toBe(2);
  });

  it('reports a failure that nobody waits for', async () => {
    const faults: unknown[] = [];
    const asked = requestedJobs({ onFault: (job, error) => faults.push([job, String(error)]), patienceMs: 5 });
    const gate = Promise.withResolvers<number>();
    expect(await asked.run('scrub', () => gate.promise)).toBeUndefined();
    gate.reject(new Error('broken'));
    await asked.stop();
    expect(faults).toEqual([['scrub', 'Error: broken']]);
  });
});
