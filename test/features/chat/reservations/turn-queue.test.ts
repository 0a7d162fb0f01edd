import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { ChatLease } from '#server/features/chat/reservations/chat-lease.ts';
import type { ReservedChat, RejectedChat } from '#server/features/chat/reservations/decide-lease.ts';
import { maxWaitingWithin, TurnQueue, type WaitEnd } from '#server/features/chat/reservations/turn-queue.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** A gateway with some places, of which each account may have some, and a queue in front of it. */
function places({ all = 1, each = 1, waitMs = 2000, attemptMs = 0, maxWaiting = 99 } = {}) {
  const held = new Map<string, string>();
  const ends: WaitEnd[] = [];
  let attempts = 0;
  const queue = new TurnQueue({
    waitMs,
    maxWaiting,
    isShared: false,
    release: async ({ id }) => void held.delete(id),
    onWaited: (end) => void ends.push(end),
  });
  const rejected = (of: 'account' | 'installation'): RejectedChat => ({
    refusal: new Refusal(of === 'account' ? 'concurrent_limit_reached' : 'server_overloaded', { retryAfterSeconds: 1 }),
    isOfTokens: false,
    totals: undefined,
    turn: { of },
  });
  const ask = (id: string, accountId: string, signal?: AbortSignal) =>
    queue.waitFor(
      accountId,
      async (): Promise<ReservedChat | RejectedChat> => {
        attempts++;
        if (attemptMs > 0) await sleep(attemptMs);
        if ([...held.values()].filter((one) => one === accountId).length >= each) return rejected('account');
        if (held.size >= all) return rejected('installation');
        held.set(id, accountId);
        return { lease: { id, accountId } as ChatLease, totals: undefined as never };
      },
      signal,
    );
  const leave = (id: string) => {
    const accountId = held.get(id)!;
    held.delete(id);
    queue.freed(accountId);
  };
  return { queue, held, ends, ask, leave, attempts: () => attempts };
}

function codeOf(outcome: ReservedChat | RejectedChat): string {
  return 'lease' in outcome ? 'held' : outcome.refusal.code;
}

describe('TurnQueue.waitFor()', () => {
  it('gives the requests of an account their turn in the order in which they came', async () => {
    const { ask, leave, queue, ends } = places({ all: 9 });
    const order: string[] = [];
    const asked = Array.from({ length: 9 }, async (_, n) => {
      await ask(`${n}`, 'a');
      order.push(`${n}`);
      leave(`${n}`);
    });
    await Promise.all(asked);
    expect(order).toEqual(Array.from({ length: 9 }, (_, n) => `${n}`));
    expect([queue.waiting, ends]).toEqual([0, Array(8).fill('admitted')]);
  });

  it('lets accounts take turns when the installation is full, and nobody overtake', async () => {
    const { ask, leave } = places({ all: 1, each: 5 });
    const order: string[] = [];
    const run = async (id: string, accountId: string) => {
      await ask(id, accountId);
      order.push(id);
      await sleep(5);
      leave(id);
    };
    const first = run('a0', 'a');
    await sleep(1);
    const rest = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((id) => run(id, id[0]!));
    await sleep(12);
    const late = run('d1', 'd');
    await Promise.all([first, ...rest, late]);
    expect(order.slice(0, 4)).toEqual(['a0', 'a1', 'b1', 'c1']);
    expect(order.indexOf('d1')).toBeLessThan(order.indexOf('a3'));
    expect(order).toHaveLength(8);
  });

  it('does not let an account that waits for its own limit hold up others', async () => {
    const { ask, leave } = places({ all: 9, each: 1 });
    await ask('a0', 'a');
    const waiting = ask('a1', 'a');
    expect(codeOf(await ask('b0', 'b'))).toBe('held');
    leave('a0');
    expect(codeOf(await waiting)).toBe('held');
  });

  it('rejects after the wait with the reason of the last attempt', async () => {
    const { ask, queue, ends } = places({ waitMs: 60 });
    await ask('a0', 'a');
    const since = performance.now();
    const outcomes = await Promise.all([ask('a1', 'a'), ask('b1', 'b')]);
    expect(outcomes.map(codeOf)).toEqual(['concurrent_limit_reached', 'server_overloaded']);
    expect(performance.now() - since).toBeGreaterThanOrEqual(55);
    expect([queue.waiting, ends]).toEqual([0, ['timeout', 'timeout']]);
  });

  it('ends the wait of a client that goes away, and gives back what it got in this moment', async () => {
    const { ask, leave, held, queue, ends } = places({ attemptMs: 20 });
    await ask('a0', 'a');
    const gone = new AbortController();
    const waiting = ask('a1', 'a', gone.signal);
    const next = ask('a2', 'a');
    await sleep(40);
    leave('a0');
    await sleep(5);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(codeOf(await next)).toBe('held');
    expect([[...held.keys()], queue.waiting, ends]).toEqual([['a2'], 0, ['left', 'admitted']]);
  });

  it('rejects at once when the account has a quarter of those that may wait', async () => {
    const { ask, leave, queue } = places({ all: 9, maxWaiting: 32 });
    await ask('first', 'a');
    const waiting = Array.from({ length: 8 }, (_, n) => ask(`${n}`, 'a'));
    await sleep(1);
    expect([queue.waiting, codeOf(await ask('late', 'a'))]).toEqual([8, 'concurrent_limit_reached']);
    expect(codeOf(await ask('b', 'b'))).toBe('held');
    leave('first');
    for (const [n, one] of waiting.entries()) {
      expect(codeOf(await one)).toBe('held');
      leave(`${n}`);
    }
    expect(queue.waiting).toBe(0);
  });

  it('rejects at once when as many requests of all accounts wait as may', async () => {
    const { ask, leave, queue } = places({ maxWaiting: 2 });
    await ask('first', 'a');
    const waiting = [ask('b', 'b'), ask('c', 'c')];
    await sleep(1);
    expect([codeOf(await ask('d', 'd')), queue.waiting]).toEqual(['server_overloaded', 2]);
    for (const id of ['first', 'b', 'c']) {
      leave(id);
      await waiting.shift();
    }
    expect([maxWaitingWithin(128 * 1_048_576), maxWaitingWithin(16 * 1_048_576)]).toEqual([32, 4]);
  });

  it('rejects at once when the pause ends after the wait, also behind others', async () => {
    const { queue, ends } = places({ waitMs: 20_000 });
    const paced = (waitMs: number) => async (): Promise<RejectedChat> => ({
      refusal: new Refusal('rate_limit_exceeded', { retryAfterSeconds: 60 }),
      isOfTokens: false,
      totals: undefined,
      turn: { of: 'account', waitMs },
    });
    const since = performance.now();
    expect([codeOf(await queue.waitFor('a', paced(60_000))), queue.waiting]).toEqual(['rate_limit_exceeded', 0]);
    let waitMs = 20;
    const first = queue.waitFor('b', () => paced(waitMs)());
    const second = queue.waitFor('b', () => paced(waitMs)());
    await sleep(1);
    waitMs = 60_000;
    await Promise.all([first, second]);
    expect(performance.now() - since).toBeLessThan(10_000);
    expect([ends, queue.waiting]).toEqual([['timeout', 'timeout'], 0]);
  });

  it('does not wait for a rejection that no wait can change', async () => {
    const { queue } = places();
    const refusal = new Refusal('daily_limit_reached', { retryAfterSeconds: 9 });
    const outcome = await queue.waitFor('a', async () => ({ refusal, isOfTokens: true, totals: undefined }));
    expect([codeOf(outcome), queue.waiting]).toEqual(['daily_limit_reached', 0]);
  });

  it('rejects with the error of an attempt, and goes on with the next request', async () => {
    const { queue, ask, leave } = places();
    await ask('a0', 'a');
    let tries = 0;
    const failing = queue.waitFor('a', async () => {
      if (++tries > 0) throw new Error('no database');
      return undefined as never;
    });
    const next = ask('a1', 'a');
    await expect(failing).rejects.toThrow('no database');
    leave('a0');
    expect(codeOf(await next)).toBe('held');
  });

  it('tries only when there is capacity, and not all requests each time', async () => {
    const { ask, leave, attempts } = places({ all: 9 });
    await ask('first', 'a');
    const waiting = Array.from({ length: 8 }, (_, n) => ask(`${n}`, 'a'));
    await sleep(50);
    const before = attempts();
    leave('first');
    await waiting[0];
    // Each newcomer was tried once. The free place is for one, and a second one is tried in vain.
    expect([before, attempts() - before]).toEqual([9, 2]);
  });

  it('ends all waits when it closes, and keeps no reservation of an attempt that was under way', async () => {
    const { queue, held, ends, ask, leave } = places({ attemptMs: 20 });
    await ask('first', 'a');
    const waiting = [ask('second', 'a'), ask('third', 'b')];
    await sleep(50);
    leave('first');
    queue.close();
    expect((await Promise.all(waiting)).map(codeOf)).toEqual(['concurrent_limit_reached', 'server_overloaded']);
    await sleep(60);
    expect([held.size, queue.waiting, ends]).toEqual([0, 0, ['timeout', 'timeout']]);
    await ask('fourth', 'a');
    expect(codeOf(await ask('fifth', 'a'))).toBe('concurrent_limit_reached');
  });
});
