import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { budgetsOf, type Budget } from './budgets.ts';
import type { ChatQuota } from './chat-quota.ts';
import type { ChatCharged, ChatChargedTo, ReachedBudget } from './table.ts';

/**
 * Adds an event for each budget that the charges have reached, unless the account was told before. Call it in the
 * transaction of the charge, behind it.
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
    if (budget.measure(charged[budget.period]) >= budget.limit) await tell(tx, accountId, budget, charged);
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
  if (await metadata.read.chat.wasReached(reached(accountId, budget))) return;
  await metadata.atomically(async (tx) => tell(tx, accountId, budget, await tx.chat.chargedTo(accountId, budget.day)), {
    account: accountId,
  });
}

async function tell(
  tx: Transaction<'chat' | 'events'>,
  accountId: string,
  budget: Budget,
  charged: ChatCharged,
): Promise<void> {
  if (!(await tx.chat.noteReached(reached(accountId, budget)))) return;
  const { name, limit, startsAt, resetsAt } = budget;
  const data = { budget: name, limit, used: budget.measure(charged[budget.period]), startsAt, resetsAt };
  await tx.events.add({ accountId, type: 'ai.budget_reached', key: null, data }, tx.now);
}

function reached(accountId: string, { name, startsAt, limit }: Budget): ReachedBudget {
  return { accountId, budget: name, startsAt, limit };
}
