import type { ChatAdmission } from './admit-chat.ts';
import { countInputTokens } from './count-tokens.ts';
import type { ChatMeter } from './meter.ts';
import { releaseChat, settleChat, type SettleDeps } from './settle-chat.ts';

interface Deps extends SettleDeps {
  /** Told of what went wrong; must not throw. */
  onFault(error: unknown): void;
}

/**
 * Ends a request that got no answer. It is charged the rounds that were answered, and the input of the one that a model
 * had begun to work on, as the tokenizer counts it. Where no model had begun to work, it is charged nothing and counts
 * for nothing.
 */
export async function chargeUnanswered(
  deps: Deps,
  admission: ChatAdmission,
  { rounds, usage, begunRound }: ChatMeter,
): Promise<void> {
  if (rounds === 0 && begunRound === undefined) return releaseChat(deps, admission);
  try {
    // Nobody may wait any more, and it is counted all the same.
    const counting = {
      limitTokens: Infinity,
      accountId: admission.lease.accountId,
      signal: new AbortController().signal,
    };
    const inputTokens = begunRound === undefined ? 0 : await countInputTokens(begunRound, counting);
    await settleChat(deps, admission, { ...usage, inputTokens: usage.inputTokens + inputTokens });
  } catch (error) {
    releaseChat(deps, admission);
    deps.onFault(error);
  }
}
