import type { Account } from '../account/account.ts';
import { startOfDay } from '../account/usage-days.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import { endOfDay, endOfWeek } from './periods.ts';
import { quotaInForce, spendOf, tokensOf, type ChatQuota } from './chat-quota.ts';
import type { ChatTally } from './table.ts';

interface Deps {
  readonly metadata: Reads<'chat'>;
  readonly clock: Clock;
}

/** What is spent in one window of time. A limit of null means no limit. */
export interface ChatWindow {
  readonly used: number;
  readonly limit: number | null;
  readonly resetsAt: number;
}

export interface ChatWindows {
  readonly today: ChatWindow;
  readonly week: ChatWindow;
}

/** What an account has spent of its quota: answered requests, their tokens, and fair use. */
export interface ChatUsage {
  readonly requests: ChatWindows;
  readonly tokens: ChatWindows;
  readonly spend: ChatWindows;
}

/**
 * Returns what an account was charged today and this week. It excludes what is held for requests under way. Reading it
 * costs nothing.
 */
export async function chatUsage(
  { metadata, clock }: Deps,
  account: Pick<Account, 'id' | 'plan' | 'aiTokensPerDay'>,
  planQuota: ChatQuota,
): Promise<ChatUsage> {
  const now = clock.now();
  const used = await metadata.read.chat.chargedTo(account.id, startOfDay(now));
  const quota = quotaInForce(planQuota, account);
  const windows = (
    measure: (tally: ChatTally) => number,
    limit: { readonly today: number | null; readonly week: number | null },
  ): ChatWindows => ({
    today: { used: measure(used.today), limit: limit.today, resetsAt: endOfDay(now) },
    week: { used: measure(used.week), limit: limit.week, resetsAt: endOfWeek(now) },
  });
  return {
    requests: windows(({ requests }) => requests, { today: quota.requestsPerDay, week: null }),
    tokens: windows(tokensOf, { today: quota.tokensPerDay, week: quota.tokensPerWeek }),
    spend: windows(spendOf, { today: quota.spendPerDay, week: null }),
  };
}
