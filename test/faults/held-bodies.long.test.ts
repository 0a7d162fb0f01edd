import { expect, it } from 'vitest';

import { underAttack } from '../../bench/held-bodies.ts';

/** In the chart a server has 1 GiB. */
const limitMb = 300;

it.each([1, 200])(
  'holds less than 300 MB while 1,500 senders without a key stall bodies of 1 MB from %i addresses, and serves others',
  async (addresses) => {
    const { peakMb, statuses, served, failed } = await underAttack(addresses, 10_000);
    expect(failed).toEqual([]);
    expect(served).toBeGreaterThan(0);
    // Without this, the attack did not reach the server.
    expect(statuses['413']).toBeGreaterThan(100);
    expect(peakMb).toBeLessThan(limitMb);
  },
);
