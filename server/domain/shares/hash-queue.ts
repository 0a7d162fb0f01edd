import { Refusal } from '../refusal.ts';

/** At once in the whole process, so that files are still read beside: both work in the same few threads. */
const maxRunning = 2;

/** In one lane, and in all. */
const maxWaitingInLane = 8;
const maxWaiting = 64;

/** Lets hashing of passwords have its turn. */
export interface HashQueue {
  /**
   * Runs `work` when its turn comes. What has the same lane goes one after another, and lanes take turns, so that a link whose
   * password is being guessed keeps no other waiting.
   *
   * @throws RATE_LIMITED when too much waits already
   */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
}

interface Lane {
  readonly waiting: Array<() => Promise<void>>;
  isRunning: boolean;
}

/** The one queue of a process. */
export function hashQueue(): HashQueue {
  // In the order in which they get their turns: one that had its turn goes to the end.
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;

  function next(): void {
    if (running >= maxRunning) return;
    const free = [...lanes].find(([, lane]) => !lane.isRunning && lane.waiting.length > 0);
    if (!free) return;
    const [name, lane] = free;
    const work = lane.waiting.shift()!;
    waiting--;
    running++;
    lane.isRunning = true;
    void work().finally(() => {
      running--;
      lane.isRunning = false;
      lanes.delete(name);
      if (lane.waiting.length > 0) lanes.set(name, lane);
      next();
    });
  }

  return {
    async run(name, work) {
      const lane = lanes.get(name) ?? { waiting: [], isRunning: false };
      if (waiting >= maxWaiting || lane.waiting.length >= maxWaitingInLane) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: 1 });
      lanes.set(name, lane);
      waiting++;
      return new Promise((resolve, reject) => {
        lane.waiting.push(() => work().then(resolve, reject));
        next();
      });
    },
  };
}
