import { describe, expect, it } from 'vitest';

import type { NewEvent } from '#server/domain/events/event.ts';
import { fileDetails } from '#test/support/file-details.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const event = {
  accountId,
  type: 'object.created',
  key: 'a/lease.pdf',
  data: fileDetails(`prv/${accountId}/a/lease.pdf`),
} satisfies NewEvent;

/** The table of events. */
export function eventsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: events`, () => {
    const scan = (after = 0, limit = 100, of = accountId) =>
      store.metadata.read.events.scan({ accountId: of, after, limit });
    const sequences = async (after = 0, limit = 100, of = accountId) =>
      (await scan(after, limit, of)).map(({ sequence }) => sequence);

    it('are returned as they were added, oldest first', async () => {
      const bare: NewEvent = { accountId, type: 'webhook.test', key: null, data: { webhook: 'wh_a' } };
      expect(await write((tx) => tx.events.add(event, 5000))).toBe(1);
      expect(await write((tx) => tx.events.add(bare, 5001))).toBe(2);
      expect(await scan()).toEqual([
        { ...event, sequence: 1, at: 5000 },
        { ...bare, sequence: 2, at: 5001 },
      ]);
      expect(await store.metadata.read.events.find(accountId, 2)).toEqual({ ...bare, sequence: 2, at: 5001 });
      expect(await store.metadata.read.events.find(accountId, 3)).toBeUndefined();
      expect(await store.metadata.read.events.newest(accountId)).toBe(2);
      expect(await store.metadata.read.events.newest('nobody')).toBe(0);
    });

    it('say of a file what was said, usual or not', async () => {
      const id = `prv/${accountId}/a/lease.pdf`;
      const { object } = fileDetails(id);
      const full = { ...object, sha256: 'f'.repeat(64), expiresAt: 9, originalName: 'a', metadata: { a: '1' } };
      const said = [
        object,
        { ...object, createdAt: 5000 },
        full,
        { ...full, isPrivate: false },
        { ...object, id: `pub/${accountId}/a/lease.pdf`, isPrivate: false },
        { ...object, id: `${accountId}/a/lease.pdf`, isPrivate: false },
        { ...object, id: `pub/${accountId}/a/other.pdf` },
        { ...object, id: `prv/${otherId}/a/lease.pdf` },
      ];
      const some: NewEvent[] = said.map((one) => ({ ...event, data: fileDetails(id, { object: one, from: id }) }));
      some.push({
        accountId,
        type: 'upload.started',
        key: event.key,
        data: { object: { id }, auth: 's3', sizeBytes: null },
      });
      await write(async (tx) => {
        for (const one of some) await tx.events.add(one, 5000);
      });
      expect(await scan()).toEqual(some.map((one, at) => ({ ...one, sequence: at + 1, at: 5000 })));
    });

    it('are numbered within one account without gaps, also when many come at once and some are undone', async () => {
      await write((tx) => tx.events.add({ ...event, accountId: otherId }, 1));
      const adding = Array.from({ length: 20 }, (_, at) =>
        store.metadata
          .atomically(
            async (tx) => {
              await tx.events.add(event, 1);
              await tx.events.add({ ...event, type: 'object.deleted' }, 1);
              if (at % 4 === 0) throw new Error('undone');
            },
            at % 2 === 0 ? { account: accountId } : {},
          )
          .catch((error: unknown) => expect(error).toMatchObject({ message: 'undone' })),
      );
      await Promise.all(adding);
      expect(await sequences()).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
      expect(await sequences(0, 100, otherId)).toEqual([1]);
      expect((await scan()).map(({ type }) => type)).toEqual(
        Array.from({ length: 15 }, () => ['object.created', 'object.deleted']).flat(),
      );
    });

    it('are scanned from any place, up to the limit', async () => {
      await write(async (tx) => {
        for (let at = 1; at <= 5; at++) await tx.events.add(event, at);
      });
      expect(await sequences(0, 2)).toEqual([1, 2]);
      expect(await sequences(3)).toEqual([4, 5]);
      expect(await sequences(5)).toEqual([]);
    });

    it('are forgotten by age, oldest first, and their sequences are not used again', async () => {
      await write(async (tx) => {
        for (let at = 1; at <= 5; at++) await tx.events.add(event, at * 1000);
      });
      expect(await write((tx) => tx.events.forgetBefore(4000, 2))).toBe(2);
      expect(await sequences()).toEqual([3, 4, 5]);
      expect(await write((tx) => tx.events.forgetBefore(9000, 10))).toBe(3);
      expect(await write((tx) => tx.events.add(event, 9000))).toBe(6);
    });
  });
}
