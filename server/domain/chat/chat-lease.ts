import type { TokenUsage } from './conversation.ts';
import type { ChatChargedTo } from './table.ts';

/** Room that is held for one request under way: the most that it can use. */
export interface ChatLease extends ChatChargedTo, TokenUsage {
  readonly id: string;
  /** From this instant on the lease counts for nobody: the process that held it has died. */
  readonly expiresAt: number;
}
