import { describe, expect, it } from 'vitest';

import type { AiRequestEntry } from '#server/features/chat/ai-requests/requests-table.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const entry = (id: string, at: number, change: Partial<AiRequestEntry> = {}): AiRequestEntry => ({
  id,
  accountId,
  at,
  requestId: 'request-1',
  keyId: 'key-1',
  model: 'cubic',
  operation: 'messages',
  isStreamed: true,
  outcome: 'answered',
  inputTokens: 1,
  outputTokens: 2,
  cost: 0,
  isCached: false,
  durationMs: 3,
  firstTokenMs: null,
  attempts: 0,
  leftOut: null,
  ...change,
});

/** The table of requests to models. */
export function aiRequestsConformance(store: StoreInTest): void {
  const { name, write } = store;
  const end = { at: Number.MAX_SAFE_INTEGER, id: '' };
  const scan = async (before: { readonly at: number; readonly id: string } = end, limit = 10, of = accountId) =>
    (await store.metadata.read.aiRequests.scan({ accountId: of, before, limit })).map(({ id }) => id);

  describe(`${name}: requests to models`, () => {
    it('are listed newest first, from any place, and those of one instant by their id', async () => {
      const all = [
        entry('b', 5),
        entry('a', 5),
        entry('z', 4),
        entry('c', 6, { firstTokenMs: 7, cost: 2 ** 53 - 1, isCached: true, leftOut: 'tools.mcp' }),
      ];
      await write((tx) => tx.aiRequests.add(all));
      await write((tx) => tx.aiRequests.add([entry('o', 5, { accountId: otherId })]));
      expect(await scan()).toEqual(['c', 'b', 'a', 'z']);
      expect(await scan(end, 2)).toEqual(['c', 'b']);
      expect(await scan({ at: 5, id: 'b' })).toEqual(['a', 'z']);
      expect(await scan({ at: 5, id: '' })).toEqual(['z']);
      expect(await scan(end, 10, otherId)).toEqual(['o']);
      expect((await store.metadata.read.aiRequests.scan({ accountId, before: end, limit: 1 }))[0]).toEqual(all[3]);
    });

    it('of an account that is gone are left out', async () => {
      await write((tx) => tx.aiRequests.add([entry('a', 1, { accountId: '999999999999999999' }), entry('b', 1)]));
      expect(await scan()).toEqual(['b']);
    });

    it('are forgotten oldest first, in steps, and removed with their account', async () => {
      await write((tx) => tx.aiRequests.add([entry('a', 1), entry('b', 2), entry('c', 3), entry('d', 4)]));
      expect(await write((tx) => tx.aiRequests.forgetBefore(4, 2))).toBe(2);
      expect(await scan()).toEqual(['d', 'c']);
      expect(await write((tx) => tx.aiRequests.forgetBefore(4, 2))).toBe(1);
      await write((tx) => tx.accounts.removeSome(accountId, 100));
      expect(await scan()).toEqual([]);
    });
  });
}
