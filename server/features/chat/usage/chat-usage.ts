import type { Account } from '#server/domain/account/account.ts';
import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { costOfAmount } from '#server/domain/money.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { endOfDay, endOfMinute, endOfWeek, startOfMinute } from '../budgets/periods.ts';
import { quotaInForce, spendOf, tokensOf, type ChatQuota } from '../budgets/chat-quota.ts';
import type { ChatTally } from '../budgets/table.ts';

interface Deps {
  readonly metadata: Reads<'chat'>;
  readonly clock: Clock;
}

/** The usage in one window of time. A limit of null means no limit. */
export interface ChatWindow {
  readonly used: number;
  readonly limit: number | null;
  readonly resetsAt: number;
}

export interface ChatWindows {
  readonly today: ChatWindow;
  readonly week: ChatWindow;
}

/** The part of its quota that an account has used: charged requests, their tokens, fair use and cost. */
interface ChatUsage {
  readonly requests: ChatWindows;
  readonly tokens: ChatWindows;
  readonly spend: ChatWindows;
  /** Of today, in the unit of `server/domain/money.ts`. */
  readonly cost: ChatWindow;
  /** Undefined when the key that asks has no limits. */
  readonly ofKey: KeyUsage | undefined;
}

/** The part of its own limits that a key has used today, and in this minute. */
export interface KeyUsage {
  readonly requests: ChatWindow;
  readonly tokens: ChatWindow;
  readonly spend: ChatWindow;
  /** In the unit of `server/domain/money.ts`. */
  readonly cost: ChatWindow;
  readonly minute: ChatWindow;
  readonly models: readonly string[] | null;
}

/**
 * Returns the charges of an account today and this week, without the reservations of requests under way. The call
 * itself is not charged.
 */
export async function chatUsage(
  { metadata, clock }: Deps,
  account: Pick<Account, 'id' | 'plan' | 'aiTokensPerDay'>,
  planQuota: ChatQuota,
  key: Pick<ApiKey, 'id' | 'ai'>,
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
    cost: { used: used.today.cost, limit: quota.costPerDay, resetsAt: endOfDay(now) },
    ofKey: key.ai ? await usageOfKey(metadata, { accountId: account.id, keyId: key.id }, key.ai, now) : undefined,
  };
}

async function usageOfKey(
  metadata: Deps['metadata'],
  key: { readonly accountId: string; readonly keyId: string },
  { requestsPerMinute, requestsPerDay, tokensPerDay, spendPerDay, costPerDay, models }: KeyAiLimits,
  now: number,
): Promise<KeyUsage> {
  const ofToday = { ...key, day: startOfDay(now) };
  const { today, inMinute } = await metadata.read.chat.chargedToKey(ofToday, startOfMinute(now));
  const resetsAt = endOfDay(now);
  return {
    requests: { used: today.requests, limit: requestsPerDay, resetsAt },
    tokens: { used: tokensOf(today), limit: tokensPerDay, resetsAt },
    spend: { used: spendOf(today), limit: spendPerDay, resetsAt },
    cost: { used: today.cost, limit: costPerDay === null ? null : costOfAmount(costPerDay), resetsAt },
    minute: { used: inMinute, limit: requestsPerMinute, resetsAt: endOfMinute(now) },
    models,
  };
}
