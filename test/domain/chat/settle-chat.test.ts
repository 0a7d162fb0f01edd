import { describe, expect, it } from 'vitest';

import { admitChat, extendChat } from '#server/domain/chat/admit-chat.ts';
import { clearChatLeases } from '#server/domain/chat/clear-chat-leases.ts';
import { releaseChat, settleChat } from '#server/domain/chat/settle-chat.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { gateway, roomy, untilTomorrow } from '#test/support/chat-gateway.ts';

const nothing = { requests: 0, tokens: 0, spend: 0, week: 0 };
const tooMuch = async () => 1e9;

describe('settleChat()', () => {
  it('charges what was used, once, whatever comes after it', async () => {
    const { admit, settle, release, used } = await gateway();
    const admission = await admit();
    expect(await used()).toEqual(nothing);
    await settle(admission, 7, 3);
    await settle(admission, 7, 3);
    await release(admission);
    expect(await used()).toEqual({ requests: 1, tokens: 10, spend: 19, week: 10 });
  });

  it('waits until the charge would survive a power cut; what is only held need not', async () => {
    const { admit, metadata, ids, capacity, owner } = await gateway();
    const lasting: boolean[] = [];
    const watched = {
      atomically: <T>(work: Parameters<typeof metadata.atomically<T>>[0], options: Parameters<typeof metadata.atomically>[1] = {}) => {
        lasting.push(options.isLasting ?? true);
        return metadata.atomically(work, options);
      },
    };
    const ask = { account: owner, limits: roomy, inputTokens: 1, maxOutputTokens: 1 };
    await settleChat({ metadata: watched }, await admitChat({ metadata: watched, ids, capacity }, ask), { inputTokens: 1, outputTokens: 1 });
    await releaseChat({ metadata: watched }, await admit());
    expect(lasting).toEqual([false, true, false]);
  });

  it('charges the day on which the request began', async () => {
    const { admit, settle, used, clock } = await gateway();
    clock.advance(untilTomorrow * 1000 - 1);
    const admission = await admit();
    clock.advance(1);
    await settle(admission);
    expect(await used()).toEqual({ ...nothing, week: 150 });
  });
});

describe('releaseChat()', () => {
  it('gives everything back: the request, its tokens, its place and its pace', async () => {
    const { admit, release, used } = await gateway({ concurrent: 1, pacingSeconds: 60, requestsPerDay: 1, tokensPerDay: 150 });
    for (let n = 0; n < 3; n++) await release(await admit());
    expect(await used()).toEqual(nothing);
  });

  it('leaves a refused request without a trace', async () => {
    const { admit, answered, refused, used } = await gateway({ requestsPerDay: 1 });
    await answered();
    const before = await used();
    for (let n = 0; n < 3; n++) expect(await refused()).toMatchObject({ code: 'daily_request_limit_reached' });
    expect(await used()).toEqual(before);
    await expect(admit()).rejects.toBeInstanceOf(Refusal);
  });
});

describe('extendChat()', () => {
  it('holds what was used so far and one more round in the place of what was held', async () => {
    const gate = await gateway({ concurrent: 1, pacingSeconds: 60, requestsPerDay: 1, tokensPerDay: 500 });
    const admission = await gate.admit();
    const next = await extendChat(gate, admission, { usedSoFar: { inputTokens: 90, outputTokens: 10 }, inputTokens: 200, maxOutputTokens: 200, countClosely: tooMuch });
    expect(next).toMatchObject({ inputTokens: 200, maxOutputTokens: 200 });
    await gate.settle(next!, 290, 210);
    expect(await gate.used()).toMatchObject({ requests: 1, tokens: 500 });
  });

  it('counts closely before it cuts the answer, and cuts it before it gives up', async () => {
    const gate = await gateway({ tokensPerDay: 500 });
    const admission = await gate.admit();
    const round = { usedSoFar: { inputTokens: 90, outputTokens: 10 }, inputTokens: 300, maxOutputTokens: 200 };
    const closely = await extendChat(gate, admission, { ...round, countClosely: async () => 150 });
    expect(closely).toMatchObject({ inputTokens: 150, maxOutputTokens: 200 });
    const cut = await extendChat(gate, admission, { ...round, countClosely: async () => 300 });
    expect(cut).toMatchObject({ inputTokens: 300, maxOutputTokens: 100 });
  });

  it('answers undefined where no limit has room for the round, and leaves the rest as it was', async () => {
    const gate = await gateway({ tokensPerDay: 500 });
    const admission = await gate.admit();
    const round = { usedSoFar: { inputTokens: 100, outputTokens: 50 }, inputTokens: 350, maxOutputTokens: 1, countClosely: tooMuch };
    expect(await extendChat(gate, admission, round)).toBeUndefined();
    expect((await gate.metadata.read.chat.standingOf(gate.owner.id, Date.UTC(2026, 3, 21), gate.clock.now())).held.today).toEqual({ requests: 1, inputTokens: 100, outputTokens: 50 });
    await gate.release(admission);
    expect(await gate.used()).toEqual(nothing);
  });

  it('throws what is no limit', async () => {
    const gate = await gateway();
    const admission = await gate.admit();
    const broken = { ...gate, metadata: { atomically: () => Promise.reject(new Error('the disk is gone')) } };
    const round = { usedSoFar: { inputTokens: 1, outputTokens: 1 }, inputTokens: 1, maxOutputTokens: 1, countClosely: tooMuch };
    await expect(extendChat(broken, admission, round)).rejects.toThrow('the disk is gone');
  });
});

describe('clearChatLeases()', () => {
  it('frees what a process held that was cut off, and nothing was charged', async () => {
    const { admit, refused, used, metadata } = await gateway({ concurrent: 2 });
    await admit();
    await admit();
    expect(await refused()).toMatchObject({ code: 'concurrent_limit_reached' });
    expect(await clearChatLeases({ metadata })).toBe(2);
    expect(await used()).toEqual(nothing);
    await admit();
  });

  it('is not needed for long: what is held ends by itself', async () => {
    const { admit, refused, clock } = await gateway({ concurrent: 1, pacingSeconds: 5 });
    await admit();
    clock.advance(119_999);
    expect(await refused()).toMatchObject({ code: 'concurrent_limit_reached' });
    clock.advance(1);
    await admit();
  });
});
