import { describe, expect, it } from 'vitest';

import type { Account } from '#server/domain/account/account.ts';
import { admitChat } from '#server/features/chat/reservations/admit-chat.ts';
import type { ChatCapacity, ChatQuota } from '#server/features/chat/budgets/chat-quota.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import { asking, gateway, roomy, untilMonday, untilTomorrow } from '#test/support/chat-gateway.ts';

describe('admitChat()', () => {
  it('throws concurrent_limit_reached when as many requests run as the plan allows', async () => {
    const { admit, refused, settle, release } = await gateway({ concurrent: 2 });
    const [one, two] = [await admit(), await admit()];
    expect(await refused()).toEqual({ code: 'concurrent_limit_reached', retryAfterSeconds: 1, shouldRetry: undefined });
    await settle(one);
    const three = await admit();
    expect(await refused()).toMatchObject({ code: 'concurrent_limit_reached' });
    await release(two);
    await release(three);
    await admit();
  });

  it('throws rate_limit_exceeded with the time to wait when requests begin faster than the pace', async () => {
    const { answered, refused, clock } = await gateway({ pacingSeconds: 5 });
    await answered();
    expect(await refused()).toEqual({ code: 'rate_limit_exceeded', retryAfterSeconds: 5, shouldRetry: undefined });
    clock.advance(1999);
    expect(await refused()).toMatchObject({ retryAfterSeconds: 4 });
    clock.advance(3000);
    expect(await refused()).toMatchObject({ retryAfterSeconds: 1 });
    clock.advance(1);
    await answered();
  });

  it('measures the pace from beginning to beginning, however long the answer takes', async () => {
    const { admit, settle, refused, clock } = await gateway({ pacingSeconds: 5 });
    const admission = await admit();
    clock.advance(60_000);
    await settle(admission);
    expect(await refused()).toBe('admitted');
  });

  it('throws daily_request_limit_reached until midnight when the requests of the day are used up', async () => {
    const { answered, admit, refused, release, clock } = await gateway({ requestsPerDay: 2 });
    await answered();
    const running = await admit();
    expect(await refused()).toEqual({
      code: 'daily_request_limit_reached',
      retryAfterSeconds: untilTomorrow,
      shouldRetry: false,
    });
    await release(running);
    await answered();
    clock.advance(untilTomorrow * 1000 - 1);
    expect(await refused()).toMatchObject({ code: 'daily_request_limit_reached', retryAfterSeconds: 1 });
    clock.advance(1);
    await answered();
  });

  it('throws daily_spend_limit_reached when input plus four times the output reaches the fair use', async () => {
    const { answered, refused } = await gateway({ spendPerDay: 604 });
    await answered(100, 50);
    await answered(100, 25, { maxOutputTokens: 25 });
    expect(await refused({ inputTokens: 101, maxOutputTokens: 1 })).toEqual({
      code: 'daily_spend_limit_reached',
      retryAfterSeconds: untilTomorrow,
      shouldRetry: false,
    });
    expect(await refused({ inputTokens: 100, maxOutputTokens: 1 })).toBe('admitted');
  });

  it('throws daily_limit_reached until midnight when the tokens of the day are spent', async () => {
    const { answered, refused, clock } = await gateway({ tokensPerDay: 150 });
    await answered();
    expect(await refused()).toEqual({
      code: 'daily_limit_reached',
      retryAfterSeconds: untilTomorrow,
      shouldRetry: false,
    });
    clock.advance(untilTomorrow * 1000);
    await answered();
  });

  it('throws weekly_limit_reached until Monday when the tokens of the week are spent', async () => {
    const { answered, refused, clock } = await gateway({ tokensPerWeek: 150 });
    await answered();
    expect(await refused()).toEqual({
      code: 'weekly_limit_reached',
      retryAfterSeconds: untilMonday,
      shouldRetry: false,
    });
    clock.advance(untilMonday * 1000 - 1);
    expect(await refused()).toMatchObject({ code: 'weekly_limit_reached', retryAfterSeconds: 1 });
    clock.advance(1);
    await answered();
  });

  it('throws server_overloaded when all accounts run as many requests as the installation may', async () => {
    const { admit, refused, account } = await gateway({}, { maxConcurrent: 1 });
    await admit({ account: await account() });
    expect(await refused()).toEqual({ code: 'server_overloaded', retryAfterSeconds: 2, shouldRetry: undefined });
  });

  it('throws daily_capacity_reached until midnight when all accounts have spent the tokens', async () => {
    const { answered, refused, account } = await gateway({}, { dailyTokens: 150 });
    await answered(100, 50, { account: await account() });
    expect(await refused()).toEqual({
      code: 'daily_capacity_reached',
      retryAfterSeconds: untilTomorrow,
      shouldRetry: false,
    });
  });

  it('throws concurrent_limit_reached, and no daily limit, while running requests hold the rest', async () => {
    const own = await gateway({ tokensPerDay: 150 });
    const running = await own.admit();
    expect(await own.refused()).toEqual({
      code: 'concurrent_limit_reached',
      retryAfterSeconds: 1,
      shouldRetry: undefined,
    });
    await own.settle(running, 10, 10);
    expect(await own.refused()).toBe('admitted');
    const shared = await gateway({}, { dailyTokens: 150 });
    await shared.admit({ account: await shared.account() });
    expect(await shared.refused()).toEqual({ code: 'server_overloaded', retryAfterSeconds: 2, shouldRetry: undefined });
  });

  it('checks in the order of the contract', async () => {
    const reached = {
      concurrent: 1,
      pacingSeconds: 60,
      requestsPerDay: 1,
      spendPerDay: 300,
      tokensPerDay: 150,
      tokensPerWeek: 150,
    };
    const { admit, settle, owner, ...deps } = await gateway(reached);
    const running = await admit();
    const codeWith = async (quota: Partial<ChatQuota>, capacity: ChatCapacity = { maxConcurrent: 0, dailyTokens: 1 }) =>
      admitChat(
        { ...deps, capacity },
        { ...asking, account: owner, quota: { ...roomy, ...quota }, inputTokens: 100, maxOutputTokens: 50 },
      ).catch(({ code }: Refusal) => code);
    expect(await codeWith(reached)).toBe('concurrent_limit_reached');
    await settle(running);
    const codes: unknown[] = [];
    const left: Partial<ChatQuota> = { ...reached };
    for (const limit of ['pacingSeconds', 'requestsPerDay', 'spendPerDay', 'tokensPerDay', 'tokensPerWeek'] as const) {
      codes.push(await codeWith(left));
      delete left[limit];
    }
    expect(codes).toEqual([
      'rate_limit_exceeded',
      'daily_request_limit_reached',
      'daily_spend_limit_reached',
      'daily_limit_reached',
      'weekly_limit_reached',
    ]);
    expect(await codeWith(left)).toBe('server_overloaded');
    expect(await codeWith(left, { maxConcurrent: null, dailyTokens: 1 })).toBe('daily_capacity_reached');
  });

  it('throws no limit that the request fits into to the last token', async () => {
    const fitting = { concurrent: 1, requestsPerDay: 1, spendPerDay: 104, tokensPerDay: 101, tokensPerWeek: 101 };
    const { refused } = await gateway(fitting, { dailyTokens: 100 });
    expect(await refused({ maxOutputTokens: 1 })).toMatchObject({ code: 'daily_capacity_reached' });
    expect(await (await gateway(fitting, { dailyTokens: 101, maxConcurrent: 1 })).refused({ maxOutputTokens: 1 })).toBe(
      'admitted',
    );
  });

  it('counts exactly before it cuts the answer to the rest of a budget', async () => {
    const { admit, release, answered } = await gateway({ tokensPerDay: 400 });
    let counted = 0;
    const countClosely = async () => (counted++, 30);
    await release(await admit({ countClosely }));
    await answered(100, 100, { maxOutputTokens: 100 });
    expect(counted).toBe(0);
    const closely = await admit({ inputTokens: 120, maxOutputTokens: 100, countClosely });
    expect(closely.maxOutputTokens).toBe(100);
    await release(closely);
    expect(counted).toBe(1);
    expect((await admit({ inputTokens: 120, maxOutputTokens: 100 })).maxOutputTokens).toBe(80);
  });

  it('uses the own budget of an account on Enterprise for the day, and four times that for the week', async () => {
    const own = await gateway({ tokensPerDay: 1e6, tokensPerWeek: 1e6 });
    const account = (plan: Account['plan']) => ({ ...own.owner, plan, aiTokensPerDay: 150 });
    for (let day = 0; day < 4; day++) {
      await own.answered(100, 50, { account: account('enterprise') });
      expect(await own.refused({ account: account('enterprise') })).toMatchObject({ code: 'daily_limit_reached' });
      own.clock.advance(86_400_000);
    }
    expect(await own.refused({ account: account('enterprise') })).toMatchObject({ code: 'weekly_limit_reached' });
    await own.answered(100, 50, { account: account('pro') });
  });
});
