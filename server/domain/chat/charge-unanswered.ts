import type { ChatAdmission } from './admit-chat.ts';
import { quotaInForce } from './chat-quota.ts';
import type { ChatReservations } from './chat-reservations.ts';
import { countInputTokens } from './count-tokens.ts';
import type { ChatMeter } from './meter.ts';

interface Deps {
  readonly reservations: ChatReservations;
  /** Called with an error that no client sees. Must not throw. */
  onFault(error: unknown): void;
}

/**
 * Ends a request that got no answer. Charges the rounds that were answered, and the input of the round that a model had
 * begun to work on, as the tokenizer counts it. If no model had begun to work, nothing is charged and the request does
 * not count.
 */
export async function chargeUnanswered(
  { reservations, onFault }: Deps,
  { lease, ask }: Pick<ChatAdmission, 'lease' | 'ask'>,
  { rounds, usage, begunRound }: ChatMeter,
): Promise<void> {
  if (rounds === 0 && begunRound === undefined) return reservations.release(lease);
  try {
    // The client may be gone. The tokens are counted all the same, so nothing aborts the counting.
    const counting = { limitTokens: Infinity, accountId: lease.accountId, signal: new AbortController().signal };
    const inputTokens = begunRound === undefined ? 0 : await countInputTokens(begunRound, counting);
    const charged = { ...usage, inputTokens: usage.inputTokens + inputTokens };
    await reservations.settle(lease, charged, quotaInForce(ask.quota, ask.account));
  } catch (error) {
    await reservations.release(lease);
    onFault(error);
  }
}
