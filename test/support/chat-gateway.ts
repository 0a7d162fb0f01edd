import { startOfDay } from '#server/domain/account/usage-days.ts';
import { admitChat, type ChatAdmission, type ChatAsk } from '#server/features/chat/reservations/admit-chat.ts';
import type { ChatLease } from '#server/features/chat/reservations/chat-lease.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import { chatUsage } from '#server/features/chat/usage/chat-usage.ts';
import type { ChatCapacity, ChatQuota } from '#server/features/chat/budgets/chat-quota.ts';
import { costOf } from '#server/features/chat/prices/model-prices.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import { openTestStores, type TestStores } from './stores.ts';

/** Limits that no test reaches. */
export const roomy: ChatQuota = {
  requestsPerDay: null,
  contextTokens: 16_384,
  outputTokens: 4096,
  concurrent: 1000,
  pacingSeconds: 0,
  spendPerDay: 1e9,
  tokensPerDay: 1e9,
  tokensPerWeek: 1e9,
  costPerDay: null,
};
/** A key and a model that all tests use. */
export const asking = { keyId: 'key_1', keyLimits: null, model: 'cubic' };

/** The key and model of leases that all tests use. */
export const ofKey = { keyId: 'key_1', model: 'cubic' };

export const unlimited: ChatCapacity = { maxConcurrent: null, dailyTokens: null };

/** Seconds until the next day. The test clock stands at 09:30 on Tuesday, 21 April 2026. */
export const untilTomorrow = 14.5 * 3600;
export const untilMonday = untilTomorrow + 5 * 86_400;

/** Holds a reservation for a request that is below all limits. */
export async function holdReservation(
  reservations: ChatReservations,
  accountId: string,
  now: number,
): Promise<ChatLease> {
  const lease = {
    ...ofKey,
    id: 'held',
    accountId,
    startedAt: now,
    day: startOfDay(now),
    inputTokens: 1,
    outputTokens: 1,
  };
  const limits = { quota: roomy, capacity: unlimited, key: null };
  const held = await reservations.reserve(
    { lease: { ...lease, expiresAt: Infinity }, leastOutputTokens: 1 },
    limits,
    now,
  );
  if ('refusal' in held) throw held.refusal;
  return held.lease;
}

/** Returns the limits of the AI gateway over real stores, for one account. The default stores are the chosen ones. */
export async function gateway(
  change: Partial<ChatQuota> = {},
  capacity: Partial<ChatCapacity> = {},
  given?: TestStores,
) {
  const stores = given ?? (await openTestStores());
  const deps = { ...stores, reservations: stores.chatReservations, capacity: { ...unlimited, ...capacity } };
  const owner = await stores.account();
  const quota = { ...roomy, ...change };
  const admit = (ask: Partial<ChatAsk> = {}) =>
    admitChat(deps, { ...asking, account: owner, quota, inputTokens: 100, maxOutputTokens: 50, ...ask });
  return {
    ...deps,
    owner,
    admit,
    /** Returns the refusal, or `'admitted'`. */
    refused: (ask: Partial<ChatAsk> = {}) =>
      admit(ask).then(
        () => 'admitted',
        ({ code, retryAfterSeconds, shouldRetry }: Refusal) => ({ code, retryAfterSeconds, shouldRetry }),
      ),
    answered: async (inputTokens = 100, outputTokens = 50, ask: Partial<ChatAsk> = {}) =>
      deps.reservations.settle((await admit(ask)).lease, { inputTokens, outputTokens }, quota),
    settle: ({ lease }: ChatAdmission, inputTokens = 100, outputTokens = 50) => {
      const usage = { inputTokens, outputTokens };
      return deps.reservations.settle(lease, { ...usage, cost: costOf(usage, lease.prices) }, quota);
    },
    release: ({ lease }: ChatAdmission) => deps.reservations.release(lease),
    used: async () => {
      const { requests, tokens, spend } = await chatUsage(stores, owner, quota, { id: asking.keyId, ai: null });
      return {
        requests: requests.today.used,
        tokens: tokens.today.used,
        spend: spend.today.used,
        week: tokens.week.used,
      };
    },
    cost: async () => (await chatUsage(stores, owner, quota, { id: asking.keyId, ai: null })).cost.used,
  };
}
