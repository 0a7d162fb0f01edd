import { amountOfCost } from '#server/domain/money.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { budgetsOf, reachedPercent, type Budget } from './budgets.ts';
import type { ChatQuota, ToldPercent } from './chat-quota.ts';
import type { ChatCharged, ChatChargedTo, ReachedBudget } from './table.ts';

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    readonly ai: Pick<Budget, 'limit' | 'startsAt' | 'resetsAt'> & {
      readonly percent: ToldPercent;
      readonly budget: Budget['name'];
      readonly used: number;
    };
  }
}

/**
 * Adds an event for each budget of which the charges have reached 80 percent or all, unless the account was told
 * before. Call it in the transaction of the charge, behind it.
 *
 * @param quota the one in force for the account
 */
export async function recordReachedBudgets(
  tx: Transaction<'chat' | 'events'>,
  { accountId, day }: Pick<ChatChargedTo, 'accountId' | 'day'>,
  quota: ChatQuota,
): Promise<void> {
  const charged = await tx.chat.chargedTo(accountId, day);
  for (const budget of budgetsOf(quota, day)) {
    const percent = reachedPercent(budget, budget.measure(charged[budget.period]));
    if (percent !== undefined) await tell(tx, { accountId, budget, percent }, charged);
  }
}

/**
 * Adds the event of a budget that has refused a request, unless the account was told before. Clients try again and
 * again, so this begins with a look-up.
 */
export async function recordRefusedBudget(
  metadata: Metadata<'chat' | 'events'>,
  accountId: string,
  budget: Budget,
): Promise<void> {
  const told = { accountId, budget, percent: 100 } as const;
  if (await metadata.read.chat.wasReached(reached(told))) return;
  await metadata.atomically(async (tx) => tell(tx, told, await tx.chat.chargedTo(accountId, budget.day)), {
    account: accountId,
  });
}

interface Told {
  readonly accountId: string;
  readonly budget: Budget;
  readonly percent: ToldPercent;
}

async function tell(tx: Transaction<'chat' | 'events'>, told: Told, charged: ChatCharged): Promise<void> {
  if (!(await tx.chat.noteReached(reached(told)))) return;
  const { accountId, percent, budget } = told;
  const { name, limit, startsAt, resetsAt } = budget;
  const shown = (value: number) => (name === 'daily_cost' ? amountOfCost(value) : value);
  const used = budget.measure(charged[budget.period]);
  const data = { percent, budget: name, limit: shown(limit), used: shown(used), startsAt, resetsAt };
  await tx.events.add({ accountId, type: 'ai.budget_reached', key: null, data }, tx.now);
}

function reached({ accountId, percent, budget: { name, startsAt, limit } }: Told): ReachedBudget {
  return { accountId, budget: name, startsAt, limit, percent };
}
