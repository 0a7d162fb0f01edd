import { recordReachedBudgets } from '../../budgets/budget-event.ts';
import { budgetsOf, reachedPercent } from '../../budgets/budgets.ts';
import type { ChatLease } from '../../reservations/chat-lease.ts';
import type { ChatLimits, ChatTotals } from '../../reservations/chat-refusal.ts';
import type { ChatLeaseRequest } from '../../reservations/chat-rejection.ts';
import type { ChatReservations } from '../../reservations/chat-reservations.ts';
import { decideLease, type ReservedChat, type RejectedChat } from '../../reservations/decide-lease.ts';
import type { KeyTotals } from '../../reservations/key-refusal.ts';
import { endOfWeek, startOfMinute, startOfWeek } from '../../budgets/periods.ts';
import { tokensOf, type ChatCapacity, type ChatQuota } from '../../budgets/chat-quota.ts';
import type { ChatCharge, ChatCharged, ChatTally, KeyCharged } from '../../budgets/table.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { highestCostOf } from '../../prices/model-prices.ts';
import { ChatCharges } from './chat-charges.ts';
import { KeyCharges } from './key-charges.ts';

/** Leases in the memory of one process, beside the charges in its metadata. They end with the process. */
export class MemoryChatReservations implements ChatReservations {
  readonly #metadata: Metadata<'chat' | 'events'>;
  readonly isShared = false;
  readonly #charges = new ChatCharges();
  readonly #keyCharges = new KeyCharges();
  /** The leases of each account, by their ids. */
  readonly #leases = new Map<string, Map<string, ChatLease>>();
  /** Changes with each charge and each freed lease. */
  #version = 0;

  constructor(metadata: Metadata<'chat' | 'events'>) {
    this.#metadata = metadata;
  }

  /** Returns the leases that are open now, expired or not. */
  leases(): ChatLease[] {
    return [...this.#leases.values()].flatMap((ofAccount) => [...ofAccount.values()]);
  }

  async reserve(request: ChatLeaseRequest, limits: ChatLimits, now: number): Promise<ReservedChat | RejectedChat> {
    const { lease } = request;
    const { accountId, day } = lease;
    const minute = startOfMinute(lease.startedAt);
    const { chat } = this.#metadata.read;
    for (;;) {
      const version = this.#version;
      const known = this.#charges.find(accountId, day);
      const charged = known ?? (await chat.chargedTo(accountId, day));
      const knownOfKey = limits.key ? this.#keyCharges.find(lease, minute) : undefined;
      const ofKey = limits.key ? (knownOfKey ?? (await chat.chargedToKey(lease, minute))) : undefined;
      const usedToday = limits.capacity.dailyTokens === null ? 0 : await chat.tokensOn(day);
      // A request that has ended since may have been charged after the charges were read.
      if (this.#version !== version) continue;
      // Nothing is awaited from here to the reservation, so no other request runs in between.
      if (!known) this.#charges.keep(accountId, day, charged);
      if (ofKey && !knownOfKey) this.#keyCharges.keep(lease, minute, ofKey);
      const totals: ChatTotals = {
        ...this.#totalsOf(lease, charged, now),
        installation: this.#installation(lease, limits.capacity, usedToday, now),
        key: ofKey && this.#totalsOfKey(lease, ofKey, now),
      };
      const decided = decideLease(totals, request, limits, now);
      if ('lease' in decided) this.#put(decided.lease);
      return decided;
    }
  }

  async settle(lease: ChatLease, usage: ChatCharge, quota: ChatQuota): Promise<void> {
    if (!this.#leases.get(lease.accountId)?.has(lease.id)) return;
    try {
      await this.#metadata.atomically(
        async (tx) => {
          await tx.chat.charge(lease, usage);
          if (this.#mayReachBudget(lease, quota)) await recordReachedBudgets(tx, lease, quota);
          tx.afterCommit(() => {
            this.#charges.add(lease, usage);
            this.#keyCharges.add(lease, usage);
            this.#free(lease);
          });
        },
        { account: lease.accountId },
      );
    } finally {
      this.#free(lease);
    }
  }

  async release(lease: ChatLease): Promise<void> {
    this.#free(lease);
  }

  /**
   * Whether the charge of a lease may bring a budget to a part that the account is told of. Other charges may be under
   * way, so all leases count with the most that they may use.
   */
  #mayReachBudget({ accountId, day }: ChatLease, quota: ChatQuota): boolean {
    const charged = this.#charges.find(accountId, day);
    const leases = this.#leases.get(accountId);
    if (!charged || !leases) return true;
    const open = tallyOf([...leases.values()]);
    return budgetsOf(quota, day).some(
      (budget) => reachedPercent(budget, budget.measure(charged[budget.period]) + budget.measure(open)) !== undefined,
    );
  }

  #totalsOf(lease: ChatLease, charged: ChatCharged, now: number): Omit<ChatTotals, 'installation'> {
    const others = countedBeside(lease, this.#leases.get(lease.accountId), now);
    const [monday, weekEnd] = [startOfWeek(lease.day), endOfWeek(lease.day)];
    return {
      running: others.length,
      lastStartedAt: latest(charged.lastStartedAt, others),
      used: charged,
      reserved: {
        today: tallyOf(others.filter(({ day }) => day === lease.day)),
        week: tallyOf(others.filter(({ day }) => day >= monday && day < weekEnd)),
      },
    };
  }

  #totalsOfKey(lease: ChatLease, { today, inMinute }: KeyCharged, now: number): KeyTotals {
    const minute = startOfMinute(lease.startedAt);
    const others = countedBeside(lease, this.#leases.get(lease.accountId), now).filter(
      ({ keyId }) => keyId === lease.keyId,
    );
    return {
      used: today,
      reserved: tallyOf(others.filter(({ day }) => day === lease.day)),
      inMinute: inMinute + others.filter(({ startedAt }) => startOfMinute(startedAt) === minute).length,
    };
  }

  /**
   * Adds up the requests of all accounts, if the installation has a limit. That takes time when there are thousands.
   */
  #installation(
    lease: ChatLease,
    { maxConcurrent, dailyTokens }: ChatCapacity,
    usedToday: number,
    now: number,
  ): ChatTotals['installation'] {
    if (maxConcurrent === null && dailyTokens === null) return { running: 0, usedToday: 0, reservedToday: 0 };
    const others = [...this.#leases.values()].flatMap((ofAccount) => countedBeside(lease, ofAccount, now));
    const reservedToday = tokensOf(tallyOf(others.filter(({ day }) => day === lease.day)));
    return { running: others.length, usedToday, reservedToday };
  }

  #put(lease: ChatLease): void {
    const ofAccount = this.#leases.get(lease.accountId) ?? new Map<string, ChatLease>();
    this.#leases.set(lease.accountId, ofAccount.set(lease.id, lease));
  }

  #free({ accountId, id }: ChatLease): void {
    this.#version++;
    const ofAccount = this.#leases.get(accountId);
    ofAccount?.delete(id);
    if (ofAccount?.size === 0) this.#leases.delete(accountId);
  }
}

/** Returns the leases that count beside `lease`: all others that have not expired. */
function countedBeside(lease: ChatLease, leases: ReadonlyMap<string, ChatLease> | undefined, now: number): ChatLease[] {
  return [...(leases?.values() ?? [])].filter(({ id, expiresAt }) => id !== lease.id && expiresAt > now);
}

function latest(startedAt: number | null, leases: readonly ChatLease[]): number | null {
  return leases.reduce<number | null>(
    (last, lease) => (last === null ? lease.startedAt : Math.max(last, lease.startedAt)),
    startedAt,
  );
}

function tallyOf(leases: readonly ChatLease[]): ChatTally {
  const tally = { requests: leases.length, inputTokens: 0, outputTokens: 0, cost: 0 };
  for (const { inputTokens, outputTokens, prices } of leases) {
    tally.inputTokens += inputTokens;
    tally.outputTokens += outputTokens;
    tally.cost += highestCostOf({ inputTokens, outputTokens }, prices);
  }
  return tally;
}
