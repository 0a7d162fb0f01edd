import { describe, expect, it } from 'vitest';

import { ChatRoom, type ChatLease } from '#server/domain/chat/chat-room.ts';

const dayMs = 86_400_000;

/** Tuesday, 21 April 2026. */
const day = Date.UTC(2026, 3, 21);

const nothing = { requests: 0, inputTokens: 0, outputTokens: 0 };
const nobody = { running: 0, lastStartedAt: null, today: nothing, week: nothing };

const lease = (id: string, change: Partial<ChatLease> = {}): ChatLease => ({
  id,
  accountId: 'one',
  startedAt: 7,
  day,
  inputTokens: 10,
  outputTokens: 5,
  ...change,
});
const from = { accountId: 'one', day, id: 'who asks' };

describe('ChatRoom', () => {
  it('holds, counts and frees, for each account alone and for all together', () => {
    const room = new ChatRoom();
    room.hold(lease('first'));
    room.hold(lease('second', { inputTokens: 1, startedAt: 9 }));
    room.hold(lease('first', { accountId: 'other' }));
    const held = { requests: 2, inputTokens: 11, outputTokens: 10 };
    expect(room.heldBy(from)).toEqual({ running: 2, lastStartedAt: 9, today: held, week: held });
    expect(room.heldByAll(from)).toEqual({ running: 3, tokens: 36 });
    room.free(lease('first'));
    expect([
      room.holds(lease('first')),
      room.holds(lease('second')),
      room.holds(lease('first', { accountId: 'other' })),
    ]).toEqual([false, true, true]);
    expect(room.heldBy(from)).toMatchObject({ running: 1, lastStartedAt: 9 });
    expect(room.heldByAll(from)).toEqual({ running: 2, tokens: 21 });
    room.free(lease('second'));
    room.free(lease('first', { accountId: 'other' }));
    expect(room.heldBy(from)).toEqual(nobody);
    expect(room.heldByAll(from)).toEqual({ running: 0, tokens: 0 });
  });

  it('frees once, and says that it has', () => {
    const room = new ChatRoom();
    room.hold(lease('first'));
    const { freed } = room;
    room.free(lease('first'));
    expect(room.freed).toBe(freed + 1);
    room.free(lease('first'));
    room.free(lease('never held'));
    expect(room.freed).toBe(freed + 1);
    expect(room.heldByAll(from)).toEqual({ running: 0, tokens: 0 });
  });

  it('holds in the place of what has the same id, which does not count against itself', () => {
    const room = new ChatRoom();
    room.hold(lease('first'));
    const { freed } = room;
    expect(room.heldBy(lease('first'))).toEqual(nobody);
    expect(room.heldByAll(lease('first'))).toEqual({ running: 0, tokens: 0 });
    room.hold(lease('first', { inputTokens: 100 }));
    expect(room.heldBy(from)).toMatchObject({ running: 1, today: { requests: 1, inputTokens: 100 } });
    expect(room.heldByAll(from)).toEqual({ running: 1, tokens: 105 });
    expect(room.freed).toBe(freed);
  });

  it('counts what was held for the day, and its week, on which it began, also when another has begun', () => {
    const room = new ChatRoom();
    room.hold(lease('late', { day: day - dayMs }));
    room.hold(lease('last week', { day: day - 2 * dayMs }));
    expect(room.heldBy(from)).toEqual({
      running: 2,
      lastStartedAt: 7,
      today: nothing,
      week: { requests: 1, inputTokens: 10, outputTokens: 5 },
    });
    expect(room.heldByAll(from)).toEqual({ running: 2, tokens: 0 });
    expect(room.heldByAll({ ...from, day: day - dayMs })).toEqual({ running: 2, tokens: 15 });
  });
});
