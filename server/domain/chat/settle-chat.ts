import type { ChatAdmission } from './admit-chat.ts';
import { quotaInForce } from './chat-quota.ts';
import type { ChatReservations } from './chat-reservations.ts';
import type { TokenUsage } from './conversation.ts';

/** Charges an admitted request, and ends its reservation. Tells of budgets that the charge reaches. */
export async function settleChat(
  { reservations }: { readonly reservations: Pick<ChatReservations, 'settle'> },
  { lease, ask }: Pick<ChatAdmission, 'lease' | 'ask'>,
  usage: TokenUsage,
): Promise<void> {
  await reservations.settle(lease, usage, quotaInForce(ask.quota, ask.account));
}
