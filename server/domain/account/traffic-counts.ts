import type { Writes } from '../ports/metadata.ts';
import type { AccountTraffic } from './traffic-table.ts';
import { startOfDay } from './usage-days.ts';

/** The most pairs of account and day that wait. Beyond it, requests of further accounts are not counted. */
const maxWaiting = 50_000;

/** Rows in one transaction, few enough not to delay requests. */
const batchRows = 500;

/** A request that has ended. */
interface ServedRequest {
  readonly accountId: string;
  /** When it ended. */
  readonly at: number;
  /** Bytes of the body that were handed to the network. */
  readonly egressBytes: number;
}

interface Deps {
  readonly metadata: Writes<'traffic'>;
  /** Called when there is something to store. */
  onWaiting(): void;
}

/**
 * Counts the requests of accounts by day. `note` takes a microsecond and never waits. The counts are stored together. A
 * killed process loses those that it had not stored.
 */
export class TrafficCounts {
  readonly #deps: Deps;
  #waiting = new Map<string, { -readonly [Field in keyof AccountTraffic]: AccountTraffic[Field] }>();
  #leftOut = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  note({ accountId, at, egressBytes }: ServedRequest): void {
    this.#add({ accountId, day: startOfDay(at), requests: 1, egressBytes });
    this.#deps.onWaiting();
  }

  /**
   * Stores all counts. Those that cannot be stored go on waiting. Only one call may run at a time.
   *
   * @returns how many requests were left out since the last call, because too many accounts waited
   */
  async store(): Promise<number> {
    const traffic = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (let from = 0; from < traffic.length; from += batchRows) {
      const batch = traffic.slice(from, from + batchRows);
      try {
        await this.#deps.metadata.atomically((tx) => tx.traffic.add(batch), { isDurable: false });
      } catch (error) {
        for (const unstored of traffic.slice(from)) this.#add(unstored);
        throw error;
      }
    }
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }

  #add(traffic: AccountTraffic): void {
    const group = `${traffic.accountId}:${traffic.day}`;
    const waiting = this.#waiting.get(group);
    if (waiting) {
      waiting.requests += traffic.requests;
      waiting.egressBytes += traffic.egressBytes;
    } else if (this.#waiting.size < maxWaiting) this.#waiting.set(group, { ...traffic });
    else this.#leftOut += traffic.requests;
  }
}
