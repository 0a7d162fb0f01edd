import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import type { ChatCharge, ChatCharged, ChatChargedTo, ChatTally } from '../../budgets/table.ts';

/** The charges of an account on the day, and in its week. */
interface Known {
  readonly day: number;
  readonly charged: ChatCharged;
}

/** An entry takes some 400 bytes. */
const maxAccounts = 10_000;

/**
 * A copy of the charges of accounts that were lately admitted. A read of the database costs more than all other steps
 * of an admission, because each commit empties the page cache of the connection that reads. The copy stays right,
 * because one process makes all charges and adds each of them here.
 */
export class ChatCharges {
  readonly #known = new LRUCache<string, Known>(atMost(maxAccounts));

  /** Returns the charges as `ChatReader.chargedTo` does, or undefined if they have to be read. */
  find(accountId: string, day: number): ChatCharged | undefined {
    const known = this.#known.get(accountId);
    return known?.day === day ? known.charged : undefined;
  }

  /** Keeps charges that were just read. */
  keep(accountId: string, day: number, charged: ChatCharged): void {
    this.#known.set(accountId, { day, charged });
  }

  /** Adds a charge. Call it in the same turn as its commit. */
  add({ accountId, day, startedAt }: ChatChargedTo, charge: ChatCharge): void {
    const known = this.#known.get(accountId);
    if (!known) return;
    // A request that began on another day, around midnight. The charges are read again, which is simpler than adding
    // it.
    if (known.day !== day) return void this.#known.delete(accountId);
    const { today, week, lastStartedAt } = known.charged;
    this.keep(accountId, day, {
      today: added(today, charge),
      week: added(week, charge),
      lastStartedAt: Math.max(lastStartedAt ?? startedAt, startedAt),
    });
  }
}

/** Returns charges with one more. */
export function added(tally: ChatTally, { inputTokens, outputTokens, cost = 0 }: ChatCharge): ChatTally {
  return {
    requests: tally.requests + 1,
    inputTokens: tally.inputTokens + inputTokens,
    outputTokens: tally.outputTokens + outputTokens,
    cost: tally.cost + cost,
  };
}
