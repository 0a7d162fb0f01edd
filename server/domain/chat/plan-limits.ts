import type { Account } from '../account/account.ts';
import type { TokenUsage } from './conversation.ts';

/** What an account may ask of the AI gateway. @see openapi/operations/chat/createChatCompletion.yaml */
export interface ChatPlanLimits {
  /** Null: as many as it likes. */
  readonly requestsPerDay: number | null;
  /** Messages and tool definitions together. */
  readonly contextTokens: number;
  readonly outputTokens: number;
  /** Requests at once. */
  readonly concurrent: number;
  /** Between the beginnings of two requests; 0: none. */
  readonly pacingSeconds: number;
  /** Tokens, input counted once and output four times. */
  readonly spendPerDay: number;
  readonly tokensPerDay: number;
  readonly tokensPerWeek: number;
}

/** What the whole installation may spend; null: no limit. */
export interface ChatCapacity {
  /** Requests at once. */
  readonly maxConcurrent: number | null;
  readonly dailyTokens: number | null;
}

/** In the fair-use measure a token of an answer counts as many. */
export const outputWeight = 4;

/** Tokens as they count against budgets. */
export function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputTokens;
}

/** Tokens as they count for fair use. */
export function spendOf({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputWeight * outputTokens;
}

/** The largest budget that an operator may give an account; a week has four times that of a day. */
export const maxAiTokensPerDay = 20_000_000;
const daysOfWeeklyTokens = 4;

/**
 * The limits in force: those of the plan, on Enterprise with the account's own budget where it has one. Fair use is to
 * it as it is to the plan's: a larger budget could never be spent otherwise, as no token counts less there.
 */
export function limitsInForce(
  limits: ChatPlanLimits,
  { plan, aiTokensPerDay }: Pick<Account, 'plan' | 'aiTokensPerDay'>,
): ChatPlanLimits {
  if (plan !== 'enterprise' || aiTokensPerDay === null) return limits;
  const spendPerDay = Math.floor((limits.spendPerDay * aiTokensPerDay) / limits.tokensPerDay);
  return { ...limits, spendPerDay, tokensPerDay: aiTokensPerDay, tokensPerWeek: daysOfWeeklyTokens * aiTokensPerDay };
}
