import type { TokenUsage } from './conversation.ts';
import { endOfWeek, startOfWeek } from './periods.ts';
import { tokensOf } from './plan-limits.ts';
import type { ChatChargedTo, ChatTally } from './table.ts';

/** Room that is held for one request under way: the most that it can use. */
export interface ChatLease extends ChatChargedTo, TokenUsage {
  readonly id: string;
}

/** What is held for requests of one account. */
export interface HeldByAccount {
  /** Requests under way. */
  readonly running: number;
  /** When the latest of them began; null when none is under way. */
  readonly lastStartedAt: number | null;
  readonly today: ChatTally;
  readonly week: ChatTally;
}

const none: HeldByAccount = {
  running: 0,
  lastStartedAt: null,
  today: { requests: 0, inputTokens: 0, outputTokens: 0 },
  week: { requests: 0, inputTokens: 0, outputTokens: 0 },
};

/**
 * What is held for requests under way. It lives in the memory of the one process that owns the data: what a process
 * held that was cut off has gone with it. All of it is synchronous, so that nothing comes between a look and a hold.
 */
export class ChatRoom {
  readonly #ofAccount = new Map<string, Map<string, ChatLease>>();
  readonly #tokensOn = new Map<number, number>();
  #running = 0;
  #freed = 0;

  /**
   * How much was freed so far. What was read of the charges before it changed may lack that of a request that is not
   * held any more.
   */
  get freed(): number {
    return this.#freed;
  }

  /** Holds room, in the place of what is held under the same id. */
  hold(lease: ChatLease): void {
    this.#remove(lease);
    const leases = this.#ofAccount.get(lease.accountId) ?? new Map<string, ChatLease>();
    this.#ofAccount.set(lease.accountId, leases.set(lease.id, lease));
    this.#count(lease, 1);
  }

  holds({ accountId, id }: Pick<ChatLease, 'accountId' | 'id'>): boolean {
    return this.#ofAccount.get(accountId)?.has(id) ?? false;
  }

  /** Gives up what is held, or does nothing when it is not held any more. */
  free(lease: Pick<ChatLease, 'accountId' | 'id'>): void {
    if (this.#remove(lease)) this.#freed++;
  }

  /** What is held for an account, as it counts on the day, beside that of `but`. */
  heldBy({ accountId, day, id: but }: Pick<ChatLease, 'accountId' | 'day' | 'id'>): HeldByAccount {
    const leases = [...(this.#ofAccount.get(accountId)?.values() ?? [])].filter(({ id }) => id !== but);
    if (leases.length === 0) return none;
    const [monday, nextMonday] = [startOfWeek(day), endOfWeek(day)];
    return {
      running: leases.length,
      lastStartedAt: Math.max(...leases.map(({ startedAt }) => startedAt)),
      today: tallyOf(leases.filter((lease) => lease.day === day)),
      week: tallyOf(leases.filter((lease) => lease.day >= monday && lease.day < nextMonday)),
    };
  }

  /** What is held for all accounts together, beside that of `but`. */
  heldByAll({ accountId, day, id }: Pick<ChatLease, 'accountId' | 'day' | 'id'>): {
    readonly running: number;
    readonly tokens: number;
  } {
    const but = this.#ofAccount.get(accountId)?.get(id);
    const tokens = this.#tokensOn.get(day) ?? 0;
    return { running: this.#running - (but ? 1 : 0), tokens: tokens - (but?.day === day ? tokensOf(but) : 0) };
  }

  #remove({ accountId, id }: Pick<ChatLease, 'accountId' | 'id'>): boolean {
    const leases = this.#ofAccount.get(accountId);
    const lease = leases?.get(id);
    if (!leases || !lease) return false;
    leases.delete(id);
    if (leases.size === 0) this.#ofAccount.delete(accountId);
    this.#count(lease, -1);
    return true;
  }

  #count(lease: ChatLease, sign: 1 | -1): void {
    this.#running += sign;
    const tokens = (this.#tokensOn.get(lease.day) ?? 0) + sign * tokensOf(lease);
    if (tokens === 0) this.#tokensOn.delete(lease.day);
    else this.#tokensOn.set(lease.day, tokens);
  }
}

function tallyOf(leases: readonly ChatLease[]): ChatTally {
  const sum = (tokens: (lease: ChatLease) => number) => leases.reduce((total, lease) => total + tokens(lease), 0);
  return {
    requests: leases.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
  };
}
