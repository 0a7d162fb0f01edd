import { expect, it } from 'vitest';

import { SandboxClock } from '#mocks/sandbox/clock.ts';

/** The clock of a machine on which a millisecond passes between any two looks. */
function ticking(): () => number {
  let ms = 1_000;
  return () => ms++;
}

it.each([
  ['set and stopped', { instant: 5_000, isStopped: true }, 5_000],
  ['set, moved and stopped', { instant: 5_000, advanceMs: 70, isStopped: true }, 5_070],
  ['moved and stopped', { advanceMs: 70, isStopped: true }, 1_070],
])('a clock that is %s at once stands where it was told to', (_what, change, expected) => {
  const clock = new SandboxClock(ticking());
  clock.change(change);
  expect([clock.now(), clock.now()]).toEqual([expected, expected]);
});

it('a stopped clock is moved, and goes on from where it stands', () => {
  const clock = new SandboxClock(ticking());
  clock.change({ instant: 5_000, isStopped: true });
  clock.change({ advanceMs: 100 });
  expect(clock.now()).toBe(5_100);
  clock.change({ isStopped: false });
  expect([clock.now(), clock.now()]).toEqual([5_101, 5_102]);
  clock.change({ advanceMs: 100 });
  expect(clock.now()).toBe(5_204);
  clock.reset();
  expect(clock.now()).toBeLessThan(2_000);
});
