import { beforeEach, describe, expect, it } from 'vitest';

import type { Admission } from '#server/domain/ports/admission.ts';
import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import {
  slotLeaseMs,
  type RequestSlot,
  type SlotOutcome,
  type Slots,
  type SlotWait,
} from '#server/domain/ports/slots.ts';

interface OpenedSlots {
  readonly admission: Admission;
  readonly slots: Slots;
}

/** Tests that slots keep the ports' contract. `open` is called before each test and returns free slots. */
export function slotsConformance(name: string, open: () => Promise<OpenedSlots>): void {
  const now = Date.UTC(2026, 3, 21);
  const slot = (id: number, key = 'uploads:1') => ({ key, id: `request-${id}` });

  let admission: Admission;
  let slots: Slots;
  beforeEach(async () => {
    ({ admission, slots } = await open());
  });
  const acquire = async (one: RequestSlot, limit: number, at: number): Promise<boolean> =>
    (await admission.admit([], { slot: one, limit }, at)).hasSlot;
  /** Tries to take `count` slots at once. Returns the numbers of those that got one. */
  const acquired = async (count: number, limit: number, at = now, from = 0): Promise<number[]> => {
    const ids = Array.from({ length: count }, (_, index) => from + index);
    const outcomes = await Promise.all(ids.map((id) => acquire(slot(id), limit, at)));
    return ids.filter((_, index) => outcomes[index]);
  };

  describe(name, () => {
    it('gives exactly the allowed number of slots to parallel requests, and frees each only once', async () => {
      const [first, ...others] = await acquired(20, 4);
      expect(others).toHaveLength(3);
      for (let time = 0; time < 3; time++) await slots.release(slot(first!), now);
      expect(await acquired(2, 4, now, 20)).toHaveLength(1);
    });

    it('keeps keys apart', async () => {
      expect(await acquire(slot(1), 1, now)).toBe(true);
      expect(await acquire(slot(2), 1, now)).toBe(false);
      expect(await acquire(slot(2, 'uploads:2'), 1, now)).toBe(true);
    });

    it('gives all slots again after all were released', async () => {
      for (let round = 0; round < 3; round++) {
        expect(await acquired(3, 2)).toHaveLength(2);
        for (let id = 0; id < 3; id++) await slots.release(slot(id), now);
      }
    });

    it('gives no slot when the limit is 0', async () => {
      expect(await acquire(slot(1), 0, now)).toBe(false);
    });

    it('frees a slot whose holder has died when its lease ends, to the millisecond', async () => {
      await acquired(2, 2);
      expect(await acquired(1, 2, now + slotLeaseMs - 1, 2)).toEqual([]);
      expect(await acquired(4, 2, now + slotLeaseMs, 2)).toHaveLength(2);
    });

    it('keeps a slot that is renewed', async () => {
      await acquired(2, 2);
      await slots.renew(slot(0), now + slotLeaseMs - 1);
      expect(await acquired(3, 2, now + 2 * slotLeaseMs - 2, 2)).toHaveLength(1);
    });

    it('does not renew a slot that was released or that another request has', async () => {
      await acquired(1, 1);
      await slots.release(slot(0), now);
      await slots.renew(slot(0), now);
      expect(await acquired(1, 1, now, 1)).toEqual([1]);
      expect(await acquired(1, 1, now + slotLeaseMs, 2)).toEqual([2]);
      await slots.renew(slot(1), now + slotLeaseMs);
      await slots.release(slot(2), now);
      expect(await acquired(1, 1, now + slotLeaseMs, 3)).toEqual([3]);
    });

    it('charges the buckets first, and takes a slot only for requests that they allow', async () => {
      const bucket: Bucket = { key: 'upload:1', name: 'upload', limit: 6, windowMs: 1000, cost: 1 };
      const admit = (id: number, limit: number) => admission.admit([bucket], { slot: slot(id), limit }, now);
      const first = await Promise.all(Array.from({ length: 4 }, (_, id) => admit(id, 2)));
      expect(first.map(({ isAllowed, hasSlot }) => [isAllowed, hasSlot])).toEqual([
        [true, true],
        [true, true],
        [true, false],
        [true, false],
      ]);
      await Promise.all([0, 1].map((id) => slots.release(slot(id), now)));
      const second = await Promise.all(Array.from({ length: 4 }, (_, id) => admit(10 + id, 3)));
      expect(second.filter(({ isAllowed }) => isAllowed)).toHaveLength(2);
      expect(second.filter(({ hasSlot }) => hasSlot)).toHaveLength(2);
      // A request that was not allowed holds no slot.
      expect(await acquired(3, 3)).toHaveLength(1);
    });

    describe('with requests that wait', () => {
      const bounds = { maxWaiting: 3, withinMs: 60_000, signal: new AbortController().signal };
      /** Waits with one slot. The outcomes come in the order in which the requests had their turn. */
      const ended: Array<readonly [number, SlotOutcome]> = [];
      const wait = (id: number, change: Partial<SlotWait> = {}, at = now) =>
        slots.wait({ slot: slot(id), limit: 1 }, { ...bounds, ...change }, at).then((outcome) => {
          ended.push([id, outcome]);
          return outcome;
        });
      /** Waits in the order of the calls. */
      const inLine = async (...ids: readonly number[]) => {
        for (const id of ids) {
          // With a place more, because the newcomer may stand before it for a moment.
          void wait(id, { maxWaiting: bounds.maxWaiting + 1 });
          // It stands in the line when a newcomer finds no place behind it.
          const next = { slot: slot(1000 + id), limit: 1 };
          const most = { ...bounds, maxWaiting: ids.indexOf(id) + 1, withinMs: 1 };
          await expect.poll(() => slots.wait(next, most, now)).toBe('full');
        }
      };
      beforeEach(() => void ended.splice(0));

      it('gives a released slot to the first that waits, and lets nobody overtake', async () => {
        await acquire(slot(0), 1, now);
        await inLine(1, 2, 3);
        expect(await wait(4)).toBe('full');
        for (const id of [0, 1, 2]) {
          expect(await acquire(slot(9), 1, now)).toBe(false);
          await slots.release(slot(id), now);
          await expect.poll(() => ended.at(-1)).toEqual([id + 1, 'taken']);
          expect(await acquire(slot(9), 1, now)).toBe(false);
        }
        await slots.release(slot(3), now);
        expect(await wait(5)).toBe('taken');
      });

      it('ends the wait after its time and by its signal, and forgets the place', async () => {
        await acquire(slot(0), 1, now);
        expect(await wait(1, { withinMs: 20 })).toBe('ended');
        expect(await wait(2, { signal: AbortSignal.abort() })).toBe('ended');
        const leaves = new AbortController();
        const left = wait(3, { signal: leaves.signal });
        leaves.abort();
        expect(await left).toBe('ended');
        await slots.release(slot(0), now);
        expect(await acquire(slot(4), 1, now)).toBe(true);
      });

      it('gives the slot of a holder that has died to the first that waits, once somebody looks', async () => {
        await acquire(slot(0), 1, now);
        const late = now + slotLeaseMs - 1;
        const first = wait(1, { withinMs: 15_000 }, late);
        await expect
          .poll(() => slots.wait({ slot: slot(8), limit: 1 }, { ...bounds, maxWaiting: 1, withinMs: 1 }, late))
          .toBe('full');
        expect(await acquire(slot(2), 1, now + slotLeaseMs)).toBe(false);
        expect(await first).toBe('taken');
      });
    });
  });
}
