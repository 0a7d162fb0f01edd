import { describe, expect, it, vi } from 'vitest';

import { dayMs } from '#server/domain/day.ts';
import type { ChatQuota } from '#server/features/chat/budgets/chat-quota.ts';
import { gateway } from '#test/support/chat-gateway.ts';
import { openSqliteStores } from '#test/support/stores.ts';
import { chatReservationsConformance } from '#test/stores/state/chat-reservations.ts';

chatReservationsConformance('MemoryChatReservations', async () => {
  const stores = await openSqliteStores();
  const [one, other] = [await stores.account(), await stores.account()];
  return {
    reservations: stores.chatReservations,
    metadata: stores.metadata,
    accountIds: [one.id, other.id],
  };
});

/** Returns the limits of the AI gateway over SQLite, with reservations in memory. */
async function memoryGateway(quota: Partial<ChatQuota>) {
  const stores = await openSqliteStores();
  const { connections, chatReservations: reservations } = stores;
  return { ...(await gateway(quota, {}, stores)), connections, reservations };
}

describe('MemoryChatReservations.reserve()', () => {
  it('counts a request that ended while the charges were read', async () => {
    const { admit, settle, metadata, owner, refused, reservations, used } = await memoryGateway({ tokensPerDay: 250 });
    const { chargedTo } = metadata.read.chat;
    let reads = 0;
    // The second read is from before the first request was charged, and returns after that request has ended.
    vi.spyOn(metadata.read.chat, 'chargedTo').mockImplementation(async (...asked) => {
      const charged = await chargedTo.apply(metadata.read.chat, asked);
      if (++reads === 2) await settle(await running, 100, 50);
      return charged;
    });
    const running = admit();
    const ask = { inputTokens: 101, maxOutputTokens: 1 };
    await expect(admit(ask)).rejects.toMatchObject({ code: 'daily_limit_reached' });
    expect(reads).toBe(2);
    expect(await refused({ inputTokens: 99, maxOutputTokens: 1 })).toBe('admitted');
    expect([owner.id, reservations.leases().length, (await used()).requests]).toEqual([owner.id, 1, 1]);
  });

  it('reads the charges of an account once, and adds what it charges', async () => {
    const { answered, refused, metadata } = await memoryGateway({ tokensPerDay: 450, requestsPerDay: 4 });
    const reading = vi.spyOn(metadata.read.chat, 'chargedTo');
    for (let request = 0; request < 3; request++) await answered(100, 50);
    expect(await refused()).toMatchObject({ code: 'daily_limit_reached' });
    expect(reading).toHaveBeenCalledTimes(1);
  });

  it('reads them again on another day, and after a request that began on another day', async () => {
    const { admit, settle, answered, refused, clock, metadata } = await memoryGateway({ tokensPerDay: 300 });
    const reading = vi.spyOn(metadata.read.chat, 'chargedTo');
    await answered(200, 50);
    expect(await refused()).toMatchObject({ code: 'daily_limit_reached' });
    clock.advance(dayMs);
    const [first, second] = [await admit(), await admit()];
    expect(reading).toHaveBeenCalledTimes(2);
    clock.advance(dayMs);
    const third = await admit();
    await settle(first);
    await settle(second);
    await settle(third, 100, 100);
    expect(await refused({ inputTokens: 100, maxOutputTokens: 1 })).toMatchObject({ code: 'daily_limit_reached' });
    expect(await refused({ inputTokens: 99, maxOutputTokens: 1 })).toBe('admitted');
  });
});

describe('MemoryChatReservations.settle()', () => {
  it('waits until the charge would survive a power cut, and counts the request once meanwhile', async () => {
    const { admit, settle, refused, reservations, connections } = await memoryGateway({
      concurrent: 2,
      tokensPerDay: 300,
    });
    const sync = Promise.withResolvers<void>();
    const syncing = vi.spyOn(connections.log, 'sync').mockReturnValue(sync.promise);
    const admission = await admit();
    const order: string[] = [];
    const settled = settle(admission).then(() => order.push('settled'));
    await expect.poll(() => syncing.mock.calls.length).toBe(1);
    expect(reservations.leases()).toEqual([]);
    // If the request counted as both held and charged, it would use all 300 tokens.
    expect(await refused()).toBe('admitted');
    order.push('another is in');
    sync.resolve();
    await settled;
    expect(order).toEqual(['another is in', 'settled']);
  });

  it('frees the reservations of a request that could not be charged', async () => {
    const { admit, used, metadata, ...gate } = await memoryGateway({ concurrent: 1, pacingSeconds: 60 });
    vi.spyOn(metadata, 'atomically').mockRejectedValueOnce(new Error('the disk is gone'));
    await expect(gate.settle(await admit(), 1, 1)).rejects.toThrow('the disk is gone');
    expect(await used()).toEqual({ requests: 0, tokens: 0, spend: 0, week: 0 });
    expect(await gate.refused()).toBe('admitted');
  });
});
