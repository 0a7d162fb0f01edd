import { describe, expect, it, vi } from 'vitest';

import { extendChat } from '#server/features/chat/reservations/admit-chat.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { gateway, untilTomorrow } from '#test/support/chat-gateway.ts';

const nothing = { requests: 0, tokens: 0, spend: 0, week: 0 };
const tooMuch = async () => 1e9;

describe('a request that is settled', () => {
  it('is charged to the day on which the request began', async () => {
    const { admit, settle, used, clock } = await gateway();
    clock.advance(untilTomorrow * 1000 - 1);
    const admission = await admit();
    clock.advance(1);
    await settle(admission);
    expect(await used()).toEqual({ ...nothing, week: 150 });
  });
});

describe('a request that is released', () => {
  it('gives everything back: the request, its tokens, its place and its pace', async () => {
    const { admit, release, used } = await gateway({
      concurrent: 1,
      pacingSeconds: 60,
      requestsPerDay: 1,
      tokensPerDay: 150,
    });
    for (let n = 0; n < 3; n++) await release(await admit());
    expect(await used()).toEqual(nothing);
  });

  it('leaves no trace of a refused request', async () => {
    const { admit, answered, refused, used } = await gateway({ requestsPerDay: 1 });
    await answered();
    const before = await used();
    for (let n = 0; n < 3; n++) expect(await refused()).toMatchObject({ code: 'daily_request_limit_reached' });
    expect(await used()).toEqual(before);
    await expect(admit()).rejects.toBeInstanceOf(Refusal);
  });
});

describe('extendChat()', () => {
  it('replaces the reservation by the usage so far and one more round', async () => {
    const gate = await gateway({ concurrent: 1, pacingSeconds: 60, requestsPerDay: 1, tokensPerDay: 500 });
    const admission = await gate.admit();
    const next = await extendChat(gate, admission, {
      usedSoFar: { inputTokens: 90, outputTokens: 10 },
      inputTokens: 200,
      maxOutputTokens: 200,
      countClosely: tooMuch,
    });
    expect(next).toMatchObject({ inputTokens: 200, maxOutputTokens: 200 });
    await gate.settle(next!, 290, 210);
    expect(await gate.used()).toMatchObject({ requests: 1, tokens: 500 });
  });

  it('counts exactly before it cuts the answer, and cuts it before it gives up', async () => {
    const gate = await gateway({ tokensPerDay: 500 });
    const admission = await gate.admit();
    const round = { usedSoFar: { inputTokens: 90, outputTokens: 10 }, inputTokens: 300, maxOutputTokens: 200 };
    const closely = await extendChat(gate, admission, { ...round, countClosely: async () => 150 });
    expect(closely).toMatchObject({ inputTokens: 150, maxOutputTokens: 200 });
    const cut = await extendChat(gate, admission, { ...round, countClosely: async () => 300 });
    expect(cut).toMatchObject({ inputTokens: 300, maxOutputTokens: 100 });
  });

  it('returns undefined when a limit leaves no tokens for the round, and changes nothing else', async () => {
    const gate = await gateway({ tokensPerDay: 500 });
    const admission = await gate.admit();
    const round = {
      usedSoFar: { inputTokens: 100, outputTokens: 50 },
      inputTokens: 350,
      maxOutputTokens: 1,
      countClosely: tooMuch,
    };
    expect(await extendChat(gate, admission, round)).toBeUndefined();
    expect(admission.lease).toMatchObject({ inputTokens: 100, outputTokens: 50 });
    // Its 150 tokens are still reserved, and nothing more.
    expect(await gate.refused({ inputTokens: 350, maxOutputTokens: 1 })).toMatchObject({
      code: 'concurrent_limit_reached',
    });
    expect(await gate.refused({ inputTokens: 349, maxOutputTokens: 1 })).toBe('admitted');
    await gate.release(admission);
    expect(await gate.used()).toEqual(nothing);
  });

  it('throws errors that are not limits', async () => {
    const gate = await gateway();
    const admission = await gate.admit();
    vi.spyOn(gate.reservations, 'reserve').mockRejectedValue(new Error('the disk is gone'));
    const round = {
      usedSoFar: { inputTokens: 1, outputTokens: 1 },
      inputTokens: 1,
      maxOutputTokens: 1,
      countClosely: tooMuch,
    };
    await expect(extendChat(gate, admission, round)).rejects.toThrow('the disk is gone');
  });
});
