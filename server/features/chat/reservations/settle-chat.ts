import type { AdmitDeps, ChatAdmission } from './admit-chat.ts';
import { budgetsAfter } from './budgets-left.ts';
import { quotaInForce } from '../budgets/chat-quota.ts';
import type { ChatReservations } from './chat-reservations.ts';
import type { TokenUsage } from '../conversation/conversation.ts';
import { costOf } from '../prices/model-prices.ts';

interface Deps extends Pick<AdmitDeps, 'onBudgets'> {
  readonly reservations: Pick<ChatReservations, 'settle'>;
}

/**
 * Charges an admitted request, at the prices with which it was admitted, and ends its reservation. Tells of budgets
 * that the charge reaches.
 */
export async function settleChat(
  { reservations, onBudgets }: Deps,
  { lease, ask, budgets }: Pick<ChatAdmission, 'lease' | 'ask' | 'budgets'>,
  usage: TokenUsage,
): Promise<void> {
  const { inputTokens, outputTokens } = usage;
  const charge = { inputTokens, outputTokens, cost: costOf(usage, lease.prices) };
  await reservations.settle(lease, charge, quotaInForce(ask.quota, ask.account));
  onBudgets?.(budgetsAfter(budgets, lease, usage));
}
