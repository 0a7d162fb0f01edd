import { Refusal } from '../refusal.ts';

/** At once in the whole process: each takes a processor and 32 MiB while it runs. */
const maxRunning = 2;

/** In one lane, and in all. */
const maxWaitingInLane = 8;
const maxWaiting = 64;

/** For whom something is hashed: for an account, and for what of it. */
export interface HashLane {
  /** Whose link it is; one for all links that are unknown. */
  readonly account: string;
  /** The link, or the making of new ones. */
  readonly of: string;
}

/** Lets hashing of passwords have its turn. */
export interface HashQueue {
  /**
   * Runs `work` when its turn comes. Accounts take turns, and so do the lanes of one account, each of which goes one
   * after another: a link whose password is being guessed keeps no other waiting, nor do all links of one account those
   * of another. When too much waits, what came last in the longest lane of the account with the most gives way.
   *
   * @throws RATE_LIMITED when too much waits already
   */
  run<T>(lane: HashLane, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  start(): Promise<void>;
  refuse(): void;
}

interface Lane {
  readonly account: string;
  readonly waiting: Waiting[];
  isRunning: boolean;
}

/** The one queue of a process. */
export function hashQueue(): HashQueue {
  // In the order in which they get their turns: one that had its turn goes to the end.
  const lanes = new Map<string, Lane>();
  /** The last turn of each account that has something here. */
  const turns = new Map<string, number>();
  let running = 0;
  let turn = 0;

  function next(): void {
    if (running >= maxRunning) return;
    const free = [...lanes].filter(([, lane]) => !lane.isRunning && lane.waiting.length > 0);
    if (free.length === 0) return;
    // Whose last turn is the longest ago; among its lanes, the first.
    const [name, lane] = free.reduce((best, one) => (lastTurn(one) < lastTurn(best) ? one : best));
    turns.set(lane.account, ++turn);
    running++;
    lane.isRunning = true;
    void lane.waiting
      .shift()!
      .start()
      .finally(() => {
        running--;
        lane.isRunning = false;
        lanes.delete(name);
        if (lane.waiting.length > 0) lanes.set(name, lane);
        forgetIdle(lane.account);
        next();
      });
  }

  function lastTurn([, { account }]: readonly [string, Lane]): number {
    return turns.get(account) ?? 0;
  }

  function forgetIdle(account: string): void {
    if (![...lanes.values()].some((lane) => lane.account === account)) turns.delete(account);
  }

  /** Takes one back when too many wait; it may be the newest. */
  function makeRoom(): void {
    const ofAccounts = new Map<string, number>();
    for (const { account, waiting } of lanes.values())
      ofAccounts.set(account, (ofAccounts.get(account) ?? 0) + waiting.length);
    const all = [...ofAccounts.values()].reduce((sum, count) => sum + count, 0);
    if (all <= maxWaiting) return;
    const [name, longest] = [...lanes].reduce((most, one) => {
      const more = ofAccounts.get(one[1].account)! - ofAccounts.get(most[1].account)!;
      return more > 0 || (more === 0 && one[1].waiting.length >= most[1].waiting.length) ? one : most;
    });
    longest.waiting.pop()!.refuse();
    if (longest.waiting.length === 0 && !longest.isRunning) lanes.delete(name);
    forgetIdle(longest.account);
  }

  return {
    async run({ account, of }, work) {
      const name = `${account} ${of}`;
      const lane = lanes.get(name) ?? { account, waiting: [], isRunning: false };
      if (lane.waiting.length >= maxWaitingInLane) throw tooMany();
      lanes.set(name, lane);
      return new Promise((resolve, reject) => {
        lane.waiting.push({ start: () => work().then(resolve, reject), refuse: () => reject(tooMany()) });
        next();
        makeRoom();
      });
    },
  };
}

function tooMany(): Refusal {
  return new Refusal('RATE_LIMITED', {
    retryAfterSeconds: 1,
    detail: 'The server is checking as many passwords as it can.',
  });
}
