import { systemActor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { costOfAmount } from '#server/domain/money.ts';
import { keyActivity } from '#server/domain/access/key-activity.ts';
import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { ReachedKeyLimit } from './table.ts';

/**
 * Adds an entry to the account's activity when a daily limit of a key has refused a request, once a day for each limit.
 * Clients try again and again, so this begins with a look-up.
 */
export async function recordReachedKeyLimit(
  metadata: Metadata<'activity' | 'apiKeys' | 'chat'>,
  { keyId, limit, day }: Omit<ReachedKeyLimit, 'value'>,
  { requestsPerDay, tokensPerDay, spendPerDay, costPerDay }: KeyAiLimits,
): Promise<void> {
  const value = {
    requests_per_day: requestsPerDay,
    tokens_per_day: tokensPerDay,
    spend_per_day: spendPerDay,
    cost_per_day: costPerDay,
  }[limit];
  if (value === null) return;
  const stored = limit === 'cost_per_day' ? costOfAmount(value) : value;
  const reached: ReachedKeyLimit = { keyId, limit, day, value: stored };
  if (await metadata.read.chat.wasKeyReached(reached)) return;
  const key = await metadata.read.apiKeys.find(keyId);
  if (!key) return;
  await metadata.atomically(
    async (tx) => {
      if (!(await tx.chat.noteKeyReached(reached))) return;
      await recordActivity(tx, keyActivity('key.ai_limit_reached', key, systemActor, { limit, value }));
    },
    { account: key.accountId },
  );
}
