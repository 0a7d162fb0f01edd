import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { dayMs } from '#server/domain/day.ts';
import { ChatCharges } from '#server/features/chat/stores/memory/chat-charges.ts';
import { openSqliteStores } from '#test/support/stores.ts';

/** Monday, 20 April 2026. */
const monday = Date.UTC(2026, 3, 20);

describe('ChatCharges.find()', () => {
  it('returns what the database has, or nothing, whatever is charged to which day', async () => {
    const tokens = fc.integer({ min: 0, max: 100 });
    const step = fc.record({
      day: fc.integer({ min: -2, max: 8 }).map((days) => monday + days * dayMs),
      isRead: fc.boolean(),
      afterMs: fc.integer({ min: 0, max: dayMs - 1 }),
      usage: fc.record({ inputTokens: tokens, outputTokens: tokens, cost: tokens }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { metadata, account } = await openSqliteStores();
        const { id: accountId } = await account();
        const charges = new ChatCharges();
        for (const { day, isRead, afterMs, usage } of steps) {
          if (isRead) charges.keep(accountId, day, await metadata.read.chat.chargedTo(accountId, day));
          const to = { accountId, keyId: 'key', model: 'cubic', day, startedAt: day + afterMs };
          await metadata.atomically(async (tx) => {
            await tx.chat.charge(to, usage);
            tx.afterCommit(() => charges.add(to, usage));
          });
          const found = charges.find(accountId, day);
          if (isRead) expect(found).toBeDefined();
          if (found) expect(found).toEqual(await metadata.read.chat.chargedTo(accountId, day));
        }
      }),
      { numRuns: 20 },
    );
  });
});
