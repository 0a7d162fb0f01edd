import { Refusal } from '#server/domain/refusal.ts';

/** The number of hashes that run at once in the process. Each needs a processor and 32 MiB. */
const maxRunning = 2;

/** The number of hashes that may wait in one lane, and in all lanes. */
const maxWaitingInLane = 8;
const maxWaiting = 64;

/** The number of hashes that may wait for one address, in all lanes. */
const maxWaitingOfAddress = 4;

/** The account and the link that a password is hashed for, and who sent it. */
export interface HashLane {
  /** The account of the link. All unknown links share one name. */
  readonly account: string;
  /** The link, or a name for the creation of links. */
  readonly of: string;
  /** The client's address as it is counted; undefined for a caller with a key. */
  readonly address?: string | undefined;
}

/** Queues the hashing of passwords, fairly between accounts and links. */
export interface HashQueue {
  /** The number of hashes that wait for their turn. */
  readonly waiting: number;
  /**
   * Runs `work` when its turn comes. Accounts take turns, and so do the lanes of an account. A lane runs one work at a
   * time. So guessing at one link delays no other link, and the links of one account do not delay those of another.
   * When too many wait, the newest in the longest lane of the account with the most is rejected. In a full lane it is
   * the newest of the address with the most, so that one address cannot keep the others out.
   *
   * @throws SERVER_OVERLOADED when too many wait
   */
  run<T>(lane: HashLane, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly address: string | undefined;
  start(): Promise<void>;
  refuse(): void;
}

interface Lane {
  readonly account: string;
  readonly waiting: Waiting[];
  isRunning: boolean;
}

/** Creates a queue. A process has one. */
export function hashQueue(): HashQueue {
  return new FairHashQueue();
}

class FairHashQueue implements HashQueue {
  /** In the order of their turns. A lane that had its turn goes to the end. */
  readonly #lanes = new Map<string, Lane>();
  /** The last turn of each account that has a lane. */
  readonly #turns = new Map<string, number>();
  #running = 0;
  #turn = 0;

  get waiting(): number {
    return this.#lanes.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  async run<T>({ account, of, address }: HashLane, work: () => Promise<T>): Promise<T> {
    if (address !== undefined && this.#countOf(address) >= maxWaitingOfAddress) throw tooMany();
    const name = `${account} ${of}`;
    const lane = this.#lanes.get(name) ?? { account, waiting: [], isRunning: false };
    if (lane.waiting.length >= maxWaitingInLane && !yieldTo(address, lane)) throw tooMany();
    this.#lanes.set(name, lane);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ address, start: () => work().then(resolve, reject), refuse: () => reject(tooMany()) });
      this.#startNext();
      this.#refuseSurplus();
    });
  }

  #startNext(): void {
    if (this.#running >= maxRunning) return;
    const free = [...this.#lanes].filter(([, lane]) => !lane.isRunning && lane.waiting.length > 0);
    if (free.length === 0) return;
    const lastTurn = ([, { account }]: readonly [string, Lane]): number => this.#turns.get(account) ?? 0;
    // The first lane of the account whose last turn is the longest ago.
    const [name, lane] = free.reduce((best, one) => (lastTurn(one) < lastTurn(best) ? one : best));
    this.#turns.set(lane.account, ++this.#turn);
    this.#running++;
    lane.isRunning = true;
    void lane.waiting
      .shift()!
      .start()
      .finally(() => {
        this.#running--;
        lane.isRunning = false;
        this.#lanes.delete(name);
        if (lane.waiting.length > 0) this.#lanes.set(name, lane);
        this.#forgetIdle(lane.account);
        this.#startNext();
      });
  }

  #forgetIdle(account: string): void {
    if (![...this.#lanes.values()].some((lane) => lane.account === account)) this.#turns.delete(account);
  }

  /** Rejects one waiting hash when too many wait. It may be the newest. */
  #refuseSurplus(): void {
    const ofAccounts = new Map<string, number>();
    for (const { account, waiting } of this.#lanes.values())
      ofAccounts.set(account, (ofAccounts.get(account) ?? 0) + waiting.length);
    const all = [...ofAccounts.values()].reduce((sum, count) => sum + count, 0);
    if (all <= maxWaiting) return;
    const [name, longest] = [...this.#lanes].reduce((most, one) => {
      const more = ofAccounts.get(one[1].account)! - ofAccounts.get(most[1].account)!;
      return more > 0 || (more === 0 && one[1].waiting.length >= most[1].waiting.length) ? one : most;
    });
    longest.waiting.pop()!.refuse();
    if (longest.waiting.length === 0 && !longest.isRunning) this.#lanes.delete(name);
    this.#forgetIdle(longest.account);
  }

  #countOf(address: string): number {
    return this.#lanes
      .values()
      .reduce((sum, { waiting }) => sum + waiting.filter((one) => one.address === address).length, 0);
  }
}

/** Rejects the newest of the address that has the most in a full lane. Returns false if that is the newcomer. */
function yieldTo(address: string | undefined, { waiting }: Lane): boolean {
  if (address === undefined) return false;
  const counts = new Map<string | undefined, number>();
  for (const one of waiting) counts.set(one.address, (counts.get(one.address) ?? 0) + 1);
  const [most, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  if (count <= (counts.get(address) ?? 0) + 1) return false;
  const newest = waiting.findLastIndex((one) => one.address === most);
  waiting.splice(newest, 1)[0]!.refuse();
  return true;
}

function tooMany(): Refusal {
  return new Refusal('SERVER_OVERLOADED', {
    message:
      'The server is checking as many passwords as it can. Wait for the seconds that Retry-After ' +
      'names, then try again.',
  });
}
