import type { ChatAdmission } from '../reservations/admit-chat.ts';
import type { ChatReservations } from '../reservations/chat-reservations.ts';
import { boundedUsage } from './bounded-usage.ts';
import type { ChatTurn, TokenUsage } from '../conversation/conversation.ts';
import { sumOfUsage } from '../conversation/sum-of-usage.ts';
import { countInputTokens, countTokens, type Counting } from '../tokens/count-tokens.ts';
import type { ChatMeter } from './meter.ts';
import type { ReceivedAnswer } from '../conversation/received-answer.ts';
import { settleChat } from '../reservations/settle-chat.ts';

interface Deps {
  readonly reservations: ChatReservations;
  /** Called with an error that no client sees. Must not throw. */
  onFault(error: unknown): void;
}

/**
 * Ends a request that got no answer, or not all of it. Charges the rounds that were answered, and the tokens of the
 * round that a model was working on. The model's server has counted those. If it has not, the tokenizer counts the
 * input and the received pieces. If no model worked on the request, nothing is charged and the request does not count.
 *
 * @returns the charge; undefined when there is none
 */
export async function chargeUnanswered(
  { reservations, onFault }: Deps,
  admission: Pick<ChatAdmission, 'lease' | 'ask' | 'budgets'>,
  meter: ChatMeter,
): Promise<TokenUsage | undefined> {
  const { lease } = admission;
  const { rounds, usage } = meter;
  if (rounds === 0 && meter.begunRound === undefined) return void (await reservations.release(lease));
  try {
    const charge = sumOfUsage(usage, await usageOfBegunRound(meter, lease.accountId));
    await settleChat({ reservations }, admission, charge);
    return charge;
  } catch (error) {
    await reservations.release(lease);
    onFault(error);
    return undefined;
  }
}

async function usageOfBegunRound(
  { begunRound, received, reserved }: ChatMeter,
  accountId: string,
): Promise<TokenUsage> {
  if (begunRound === undefined) return { inputTokens: 0, outputTokens: 0 };
  // The client may be gone. The tokens are counted all the same, so nothing aborts the counting.
  const { signal } = new AbortController();
  return received.usage
    ? boundedUsage(received.usage, reserved)
    : boundedUsage(await countedUsage(begunRound, received, { limitTokens: Infinity, accountId, signal }), reserved);
}

/** Counts a round whose server has counted nothing. */
export async function countedUsage(
  round: ChatTurn,
  { texts }: Pick<ReceivedAnswer, 'texts'>,
  counting: Counting,
): Promise<TokenUsage> {
  const [inputTokens, outputTokens] = await Promise.all([
    countInputTokens(round, counting),
    texts.length === 0 ? 0 : countTokens(texts, counting),
  ]);
  return { inputTokens, outputTokens, isEstimated: true };
}
