import { describe, expect, it } from 'vitest';

import { outbox } from '#server/jobs/outbox.ts';
import { eventually } from '#test/support/eventually.ts';

/** Opens an outbox over items in memory, by key. An attempt lasts until the test ends it. */
function open(
  items: Readonly<Record<string, number>>,
  { most = Infinity, mostAtOnce = Infinity, stopTimeoutMs = 10_000, drains = false } = {},
) {
  const left = new Map(Object.entries(items));
  const begun: string[] = [];
  const ends: Array<() => void> = [];
  const signals: AbortSignal[] = [];
  const faults: unknown[] = [];
  const hooks = { due: async () => {}, take: async (_key: string) => {} };
  const queue = outbox<string>({
    ...{ mostAtOnce, stopTimeoutMs, drains, delayMs: 0, pollMs: 60_000 },
    async due(behind) {
      await hooks.due();
      const keys = [...left.keys()].filter((key) => key > behind && left.get(key)! > 0).sort();
      const take = async (key: string, limit: number) => {
        await hooks.take(key);
        const count = Math.min(limit, left.get(key)!);
        left.set(key, left.get(key)! - count);
        return Array.from({ length: count }, () => key);
      };
      return keys.map((key) => ({ key, most, take: (limit) => take(key, limit) }));
    },
    attempt(key, signal) {
      begun.push(key);
      signals.push(signal);
      return new Promise((resolve) => ends.push(resolve));
    },
    onFault: (error) => void faults.push(error),
  });
  return { queue, begun, ends, signals, faults, hooks };
}

describe('outbox()', () => {
  it('begins as many items of a key, and of all keys, as may be under way', async () => {
    const { queue, begun, ends } = open({ a: 5, b: 5, c: 5 }, { most: 2, mostAtOnce: 5 });
    queue.nudge();
    await eventually(() => expect(begun).toEqual(['a', 'a', 'b', 'b', 'c']));
    ends[0]!();
    // No key is behind the one that was served last, so it is the turn of the first one. Then one behind it is served.
    await eventually(() => expect(begun.slice(5)).toEqual(['a']));
    ends[1]!();
    await eventually(() => expect(begun.slice(6)).toEqual(['c']));
  });

  it('begins an item whose place becomes free while a search ends', async () => {
    for (let steps = 0; steps < 20; steps++) {
      const { queue, begun, ends, hooks } = open({ a: 2 }, { most: 1, mostAtOnce: 2 });
      let searches = 0;
      hooks.due = async () => {
        if (++searches !== 2) return;
        // The second search finds that no place of the key is free. The attempt ends so many steps after it.
        void (async () => {
          for (let step = 0; step < steps; step++) await undefined;
          ends[0]!();
        })();
      };
      queue.nudge();
      await eventually(() => expect([steps, begun]).toEqual([steps, ['a', 'a']]));
    }
  });

  it('reports what a search throws, and goes on with the next nudge', async () => {
    const { queue, begun, faults, hooks } = open({ a: 1 });
    hooks.take = () => Promise.reject(new Error('The store is away.'));
    queue.nudge();
    await eventually(() => expect(faults).toEqual([new Error('The store is away.')]));
    hooks.take = async () => {};
    queue.nudge();
    await eventually(() => expect(begun).toEqual(['a']));
  });

  it('begins the work of other keys while that of one cannot be taken', async () => {
    const { queue, begun, faults, hooks } = open({ a: 1, b: 1 });
    hooks.take = async (key) => {
      if (key === 'a') throw new Error('It cannot be read.');
    };
    queue.nudge();
    await eventually(() => expect(begun).toEqual(['b']));
    expect(faults).toEqual([new Error('It cannot be read.')]);
  });

  it('stop() waits for the attempts under way, and begins none', async () => {
    const { queue, begun, ends, signals } = open({ a: 2 }, { most: 1 });
    queue.nudge();
    await eventually(() => expect(begun).toHaveLength(1));
    const stopped = queue.stop();
    expect(signals[0]!.aborted).toBe(false);
    ends[0]!();
    await stopped;
    queue.nudge();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(begun).toHaveLength(1);
  });

  it('stop() of one that drains begins what is due, and waits for it', async () => {
    const { queue, begun, ends } = open({ a: 3 }, { most: 1, drains: true });
    queue.nudge();
    await eventually(() => expect(begun).toHaveLength(1));
    let isStopped = false;
    const stopped = queue.stop().then(() => (isStopped = true));
    for (const count of [2, 3]) {
      ends.at(-1)!();
      await eventually(() => expect(begun).toHaveLength(count));
      expect(isStopped).toBe(false);
    }
    ends.at(-1)!();
    await stopped;
  });

  it('stop() without a time limit cuts off at once', async () => {
    const { queue, begun, ends, signals } = open({ a: 1 }, { stopTimeoutMs: 0 });
    queue.nudge();
    await eventually(() => expect(begun).toHaveLength(1));
    const stopped = queue.stop();
    expect(signals[0]!.aborted).toBe(true);
    ends[0]!();
    await stopped;
  });
});
