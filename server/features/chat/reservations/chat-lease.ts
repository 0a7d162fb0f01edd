import type { TokenCounts } from '../conversation/conversation.ts';
import type { ModelPrices } from '../prices/model-prices.ts';
import type { ChatChargedTo } from '../budgets/table.ts';

/** The reservation of one request under way: the most that it can use. */
export interface ChatLease extends ChatChargedTo, TokenCounts {
  readonly id: string;
  /** From this instant on the lease counts against no limit, because its process must have died. */
  readonly expiresAt: number;
  /** The prices of its model. Undefined: its tokens cost nothing. */
  readonly prices?: ModelPrices | undefined;
}
