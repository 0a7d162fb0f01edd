import type { Account } from '#server/domain/account/account.ts';
import type { TokenUsage } from '../conversation/conversation.ts';

/** The limits of a plan in the AI gateway. @see openapi/operations/chat/createChatCompletion.yaml */
export interface ChatQuota {
  /** Null means no limit. */
  readonly requestsPerDay: number | null;
  /** Messages and tool definitions together. */
  readonly contextTokens: number;
  readonly outputTokens: number;
  /** Requests at once. */
  readonly concurrent: number;
  /** The least time between the beginnings of two requests. 0 allows any pace. */
  readonly pacingSeconds: number;
  /** Fair use: the input tokens and four times the output tokens. */
  readonly spendPerDay: number;
  readonly tokensPerDay: number;
  readonly tokensPerWeek: number;
  /** In the unit of `server/domain/money.ts`. Null means no limit. */
  readonly costPerDay: number | null;
}

/** The names of the budgets. @see openapi/schemas/chat/EventBudgetData.yaml */
export type BudgetName = 'daily_spend' | 'daily_tokens' | 'weekly_tokens' | 'daily_cost';

/** The parts of a budget, in percent, of which the account is told. */
export type ToldPercent = 80 | 100;

/** The names of the limits of an API key in a day, as clients see them. */
export type KeyLimitName = 'requests_per_day' | 'tokens_per_day' | 'spend_per_day' | 'cost_per_day';

/** The limits of the whole installation. Null means no limit. */
export interface ChatCapacity {
  /** Requests at once. */
  readonly maxConcurrent: number | null;
  readonly dailyTokens: number | null;
}

/** A token of output counts this many times for fair use. */
export const outputWeight = 4;

/** Returns tokens as they count against budgets. */
export function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputTokens;
}

/** Returns tokens as they count for fair use. */
export function spendOf({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputWeight * outputTokens;
}

/** Returns the cost of a charge. */
export function moneyOf({ cost = 0 }: { readonly cost?: number }): number {
  return cost;
}

/** The largest budget that an operator may give an account. A week allows four times the budget of a day. */
export const maxAiTokensPerDay = 20_000_000;
const daysOfWeeklyTokens = 4;

/**
 * Returns the quota that applies: the plan's, or on Enterprise the account's own budget if it has one. Fair use grows
 * with the budget, because otherwise a larger budget could never be spent.
 */
export function quotaInForce(
  quota: ChatQuota,
  { plan, aiTokensPerDay }: Pick<Account, 'plan' | 'aiTokensPerDay'>,
): ChatQuota {
  if (plan !== 'enterprise' || aiTokensPerDay === null) return quota;
  const spendPerDay = Math.floor((quota.spendPerDay * aiTokensPerDay) / quota.tokensPerDay);
  return { ...quota, spendPerDay, tokensPerDay: aiTokensPerDay, tokensPerWeek: daysOfWeeklyTokens * aiTokensPerDay };
}
