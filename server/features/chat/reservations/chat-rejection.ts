import type { Refusal } from '#server/domain/refusal.ts';
import type { Budget } from '../budgets/budgets.ts';
import type { ChatLease } from './chat-lease.ts';
import type { ChatCharge } from '../budgets/table.ts';
import { highestCostOf } from '../prices/model-prices.ts';
import type { KeyLimitName } from '../budgets/chat-quota.ts';

/** The reservation that one request asks for. */
export interface ChatLeaseRequest {
  /** Its `outputTokens` are the most that the request can use. */
  readonly lease: ChatLease;
  /** The request is rejected if fewer tokens of output fit. At least 1. */
  readonly leastOutputTokens: number;
}

/** Returns the least that a request may be charged if it fits. */
export function leastChargeOf({ lease, leastOutputTokens }: ChatLeaseRequest): ChatCharge {
  const least = { inputTokens: lease.inputTokens, outputTokens: leastOutputTokens };
  return { ...least, cost: highestCostOf(least, lease.prices) };
}

/** The reason why a request does not fit. */
export interface ChatRejection {
  readonly refusal: Refusal;
  /** Whether a request with fewer tokens might fit. */
  readonly isOfTokens: boolean;
  /** The budget that is used up, if one is. */
  readonly budget?: Budget;
  /** The daily limit of the key that is used up, if one is. */
  readonly keyLimit?: KeyLimitName;
  /** Set when the request may fit in a moment, so that it can wait for its turn. */
  readonly turn?: ChatTurnOf | undefined;
}

/** The limit that a request may wait for. */
interface ChatTurnOf {
  readonly of: 'account' | 'installation';
  /** When it may fit. Left out when other requests have to end first. */
  readonly waitMs?: number;
}
