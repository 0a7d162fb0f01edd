import { describe, expect, it } from 'vitest';

import { changeAccount } from '#server/domain/account/change-account.ts';
import { chatUsage } from '#server/features/chat/usage/chat-usage.ts';
import { forgetChatUsage } from '#server/features/chat/usage/forget-chat-usage.ts';
import type { ChatQuota } from '#server/features/chat/budgets/chat-quota.ts';
import { openTestStores } from '#test/support/stores.ts';

const quota: ChatQuota = {
  requestsPerDay: 7,
  contextTokens: 100,
  outputTokens: 100,
  concurrent: 1,
  pacingSeconds: 0,
  spendPerDay: 3000,
  tokensPerDay: 1000,
  tokensPerWeek: 5000,
  costPerDay: 900,
};

const unrestricted = { id: 'key', ai: null };

const tuesday = Date.UTC(2026, 3, 21);
const dayMs = 86_400_000;

async function storesWithUsage() {
  const stores = await openTestStores();
  const account = await stores.account();
  const charge = (daysAgo: number, inputTokens: number, outputTokens: number) =>
    stores.metadata.atomically((tx) =>
      tx.chat.charge(
        { accountId: account.id, keyId: 'key', model: 'cubic', day: tuesday - daysAgo * dayMs, startedAt: 0 },
        { inputTokens, outputTokens, cost: 10 * inputTokens },
      ),
    );
  return { ...stores, owner: account, charge };
}

describe('chatUsage()', () => {
  it('returns today and the week, each with its limit and its end', async () => {
    const { charge, owner, ...stores } = await storesWithUsage();
    await charge(2, 1000, 1000);
    await charge(1, 100, 10);
    await charge(0, 3, 4);
    const [midnight, monday] = [tuesday + dayMs, tuesday + 6 * dayMs];
    expect(await chatUsage(stores, owner, quota, unrestricted)).toEqual({
      requests: { today: { used: 1, limit: 7, resetsAt: midnight }, week: { used: 2, limit: null, resetsAt: monday } },
      tokens: {
        today: { used: 7, limit: 1000, resetsAt: midnight },
        week: { used: 117, limit: 5000, resetsAt: monday },
      },
      spend: {
        today: { used: 19, limit: 3000, resetsAt: midnight },
        week: { used: 159, limit: null, resetsAt: monday },
      },
      cost: { used: 30, limit: 900, resetsAt: midnight },
      ofKey: undefined,
    });
  });
});

describe('changeAccount()', () => {
  it('gives an account on Enterprise a budget of its own, and removes it again', async () => {
    const { owner, ...stores } = await storesWithUsage();
    const own = await changeAccount(stores, { accountId: owner.id, aiTokensPerDay: 20_000_000 });
    expect(own).toEqual({ ...owner, aiTokensPerDay: 20_000_000 });
    const { tokens } = await chatUsage(stores, own as typeof owner, quota, unrestricted);
    expect([tokens.today.limit, tokens.week.limit]).toEqual([20_000_000, 80_000_000]);
    expect(await changeAccount(stores, { accountId: owner.id, aiTokensPerDay: null })).toEqual(owner);
  });

  it('gives no budget to another plan or to an unknown account', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account({ plan: 'pro' });
    await expect(changeAccount(stores, { accountId, aiTokensPerDay: 5 })).rejects.toMatchObject({
      code: 'UPGRADE_REQUIRED',
    });
    expect(await stores.metadata.read.accounts.find(accountId)).toMatchObject({ aiTokensPerDay: null });
    expect(await changeAccount(stores, { accountId, aiTokensPerDay: null })).toMatchObject({ plan: 'pro' });
    await expect(changeAccount(stores, { accountId: 'nobody', aiTokensPerDay: 5 })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
  });
});

describe('forgetChatUsage()', () => {
  it('keeps the last 400 days, and forgets older ones', async () => {
    const { charge, metadata, clock } = await storesWithUsage();
    for (const daysAgo of [0, 400, 401, 402]) await charge(daysAgo, 1, 1);
    expect(await forgetChatUsage({ metadata }, clock.now())).toBe(4);
    expect(await forgetChatUsage({ metadata }, clock.now())).toBe(0);
    expect(await forgetChatUsage({ metadata }, clock.now() + dayMs)).toBe(2);
  });
});
