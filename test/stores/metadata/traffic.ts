import { describe, expect, it } from 'vitest';

import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const dayMs = 86_400_000;
const all = { from: 0, to: 100 * dayMs };

/** The table of requests and sent bytes by day. */
export function trafficConformance(store: StoreInTest): void {
  const { name, write } = store;
  const daysOf = (id: string, days = all) => store.metadata.read.traffic.daysOf(id, days);

  describe(`${name}: traffic`, () => {
    it('is added up for each account and day, also when many add at once', async () => {
      const more = { accountId, day: dayMs, requests: 2, egressBytes: 2 ** 40 };
      await Promise.all(
        Array.from({ length: 20 }, () =>
          write((tx) => tx.traffic.add([{ ...more, accountId: otherId, requests: 1 }, more])),
        ),
      );
      await write((tx) => tx.traffic.add([{ accountId, day: 2 * dayMs, requests: 1, egressBytes: 0 }]));
      expect(await daysOf(accountId)).toEqual([
        { day: dayMs, requests: 40, egressBytes: 20 * 2 ** 40 },
        { day: 2 * dayMs, requests: 1, egressBytes: 0 },
      ]);
      expect(await daysOf(otherId)).toEqual([{ day: dayMs, requests: 20, egressBytes: 20 * 2 ** 40 }]);
      expect(await daysOf(accountId, { from: 2 * dayMs, to: 2 * dayMs })).toHaveLength(1);
      expect(await daysOf(accountId, { from: 0, to: dayMs })).toHaveLength(1);
    });

    it('of an account that is gone is left out, and the rest is added', async () => {
      const one = { day: dayMs, requests: 1, egressBytes: 5 };
      await write((tx) =>
        tx.traffic.add([
          { ...one, accountId: 'nobody' },
          { ...one, accountId },
        ]),
      );
      expect(await daysOf('nobody')).toEqual([]);
      expect(await daysOf(accountId)).toEqual([one]);
    });

    it('is forgotten before a day, up to a number of rows', async () => {
      const days = [1, 2, 3, 4].map((at) => ({ accountId, day: at * dayMs, requests: 1, egressBytes: 1 }));
      await write((tx) => tx.traffic.add(days));
      expect(await write((tx) => tx.traffic.forgetBefore(4 * dayMs, 2))).toBe(2);
      expect(await write((tx) => tx.traffic.forgetBefore(4 * dayMs, 2))).toBe(1);
      expect((await daysOf(accountId)).map(({ day }) => day)).toEqual([4 * dayMs]);
    });
  });
}
