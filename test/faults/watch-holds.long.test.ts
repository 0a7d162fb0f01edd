import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { watchHolds } from './watch-holds.ts';

/** Computes until the processor has spent this time on it, independent of other programs. */
function compute(ms: number): void {
  let spent: NodeJS.CpuUsage;
  const before = process.threadCpuUsage();
  do spent = process.threadCpuUsage(before);
  while (spent.user + spent.system < ms * 1000);
}

function rest(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it.each([
  ['computes', compute],
  ['waits', rest],
])('watchHolds() detects a loop that %s, and only since it began', async (_, hold) => {
  const watch = watchHolds(2);
  hold(200);
  watch.begin();
  await sleep(20);
  hold(100);
  await sleep(20);
  const heldMs = watch.end();
  expect(heldMs).toBeGreaterThan(95);
  expect(heldMs).toBeLessThan(200);
});

it.each([
  ['counts what computes', compute, 95],
  ['leaves out what waits', rest, 0],
])('longestComputedMs() %s', async (_, hold, least) => {
  const watch = watchHolds(2);
  watch.begin();
  await sleep(20);
  hold(100);
  await sleep(20);
  watch.end();
  expect(watch.longestComputedMs()).toBeGreaterThanOrEqual(least);
  expect(watch.longestComputedMs()).toBeLessThan(least + 60);
});
