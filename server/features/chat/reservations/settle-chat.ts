import type { AdmitDeps, ChatAdmission } from './admit-chat.ts';
import { budgetsAfter } from './budgets-left.ts';
import { quotaInForce } from '../budgets/chat-quota.ts';
import type { ChatReservations } from './chat-reservations.ts';
import type { TokenUsage } from '../conversation/conversation.ts';

interface Deps extends Pick<AdmitDeps, 'onBudgets'> {
  readonly reservations: Pick<ChatReservations, 'settle'>;
}

/** Charges an admitted request, and ends its reservation. Tells of budgets that the charge reaches. */
export async function settleChat(
  { reservations, onBudgets }: Deps,
  { lease, ask, budgets }: Pick<ChatAdmission, 'lease' | 'ask' | 'budgets'>,
  usage: TokenUsage,
): Promise<void> {
  await reservations.settle(lease, usage, quotaInForce(ask.quota, ask.account));
  onBudgets?.(budgetsAfter(budgets, lease, usage));
}
