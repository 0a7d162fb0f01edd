import { describe, expect, it } from 'vitest';

import type { DeliveryState, NewDelivery } from '#server/features/webhooks/delivery.ts';
import { healthAtFirst, type Webhook } from '#server/features/webhooks/webhook.ts';
import { prefixes } from '#test/support/parsed.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const webhook: Webhook = {
  id: 'wh_a',
  accountId,
  sealedUrl: 'sealed-url',
  types: ['object.*'],
  prefixes: prefixes('docs'),
  description: 'A note',
  format: 'standard',
  seesAccount: true,
  sealed: { secret: 'sealed-secret', key: 'sealed-key' },
  publicKey: 'whpk_a',
  formerSealed: null,
  formerUntil: null,
  createdAt: 1000,
  disabledReason: null,
  writtenSequence: 0,
  replayedSequence: null,
  replayUntil: null,
  health: healthAtFirst,
};

const delivery = (sequence: number, orderKey: string | null, formerKey: string | null = null): NewDelivery => ({
  webhookId: webhook.id,
  sequence,
  type: 'object.moved',
  eventAt: 900,
  orderKey,
  formerKey,
});

const attempt = { triedAt: 5000, durationMs: 7, status: 500, error: 'The endpoint answered 500.' };

/** The tables of webhooks. */
export function webhooksConformance(store: StoreInTest): void {
  const { name, write } = store;
  const read = () => store.metadata.read;
  const add = (one: Webhook, most = 20) =>
    store.metadata.atomically((tx) => tx.webhooks.add(one, most), { account: one.accountId });
  const due = async (now: number) =>
    (await store.metadata.atomically((tx) => tx.webhooks.takeDue(webhook.id, now, now + 1000, 10))).map(
      ({ sequence }) => sequence,
    );

  describe(`${name}: webhooks`, () => {
    it('are returned as they were added and changed', async () => {
      const bare = { ...webhook, id: 'wh_b', types: null, prefixes: null, createdAt: 1001, seesAccount: false };
      expect([await add(webhook), await add(bare), await add({ ...webhook, id: 'wh_c', accountId: otherId })]).toEqual([
        true,
        true,
        true,
      ]);
      expect(await read().webhooks.listOf(accountId)).toEqual([webhook, bare]);
      const choice = { sealedUrl: 'other-url', types: null, prefixes: null, description: '' };
      const formerSealed = { secret: 'former-secret', key: 'former-key' };
      const secrets = { sealed: { secret: 's', key: 'k' }, publicKey: 'whpk_b', formerSealed, formerUntil: 9000 };
      const health = { failures: 3, failingSince: 100, pausedUntil: 200, lastSuccessAt: 50, lastError: 'Why.' };
      await write(async ({ webhooks }) => {
        await webhooks.change('wh_a', choice, 'gone');
        await webhooks.setSecrets('wh_a', secrets);
        await webhooks.setHealth('wh_a', health);
        await webhooks.setReplay('wh_a', 4, 9);
        await webhooks.setWritten('wh_a', 7);
      });
      const changed = { ...webhook, ...choice, ...secrets, health, disabledReason: 'gone' };
      expect(await read().webhooks.find('wh_a')).toEqual({
        ...changed,
        replayedSequence: 4,
        replayUntil: 9,
        writtenSequence: 7,
      });
    });

    it('make deliveries due that were to wait for longer, some at a time', async () => {
      await add(webhook);
      await write(async ({ webhooks }) => {
        for (const sequence of [1, 2, 3, 4]) await webhooks.write(delivery(sequence, `a${sequence}`), 1000);
        await webhooks.write(delivery(5, 'a4'), 1000);
      });
      const taken = await store.metadata.atomically((tx) => tx.webhooks.takeDue(webhook.id, 1000, 2000, 10));
      expect(taken.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
      await write(async ({ webhooks }) => {
        for (const [at, dueAt] of [90_000, 9000, 95_000].entries()) await webhooks.putBack(taken[at]!, attempt, dueAt);
      });
      const hasten = (limit: number) =>
        store.metadata.atomically((tx) => tx.webhooks.hasten(webhook.id, 9000, 5000, limit), { account: accountId });
      expect([await hasten(1), await hasten(10), await hasten(10)]).toEqual([1, 1, 0]);
      // The fourth is under way, and the fifth waits for it.
      expect(await due(1999)).toEqual([]);
      expect(await due(5000)).toEqual([4, 1, 3]);
    });

    it('give a new form of their address only to the one that was read', async () => {
      const other = { ...webhook, id: 'wh_p', sealedUrl: 'sealed' };
      await add(webhook);
      await add(other);
      await write((tx) => tx.webhooks.renewUrl({ ...other, sealedUrl: 'former' }, 'late'));
      expect((await read().webhooks.find('wh_p'))?.sealedUrl).toBe('sealed');
      await write((tx) => tx.webhooks.renewUrl(other, 'renewed'));
      expect(await read().webhooks.find('wh_p')).toEqual({ ...other, sealedUrl: 'renewed' });
      expect(await read().webhooks.find('wh_a')).toEqual(webhook);
    });

    it('are no more than their account may have, also when many are added at once', async () => {
      const added = await Promise.all(Array.from({ length: 8 }, (_, at) => add({ ...webhook, id: `wh_${at}` }, 5)));
      expect(added.filter(Boolean)).toHaveLength(5);
    });

    it('are behind while the account has events without written deliveries, unless they are disabled', async () => {
      await add(webhook);
      await add({ ...webhook, id: 'wh_b', disabledReason: 'request' });
      expect(await read().webhooks.behind('', 10)).toEqual([]);
      await write((tx) => tx.events.add({ accountId, type: 'webhook.test', key: null, data: { webhook: 'wh_a' } }, 1));
      expect((await read().webhooks.behind('', 10)).map(({ id }) => id)).toEqual(['wh_a']);
      expect(await read().webhooks.behind('wh_a', 10)).toEqual([]);
      await write((tx) => tx.webhooks.setWritten('wh_a', 1));
      expect(await read().webhooks.behind('', 10)).toEqual([]);
    });

    it('deliver the events of a file one after another, over its former keys, and others at once', async () => {
      await add(webhook);
      const rows = [delivery(1, 'a'), delivery(2, 'b'), delivery(3, 'c', 'a'), delivery(4, 'a'), delivery(5, 'c')];
      await write(async (tx) => {
        for (const one of rows) await tx.webhooks.write(one, 2000);
      });
      expect((await read().webhooks.nextDue('', 2000))?.id).toBe('wh_a');
      expect(await read().webhooks.nextDue('wh_a', 2000)).toBeUndefined();
      expect(await due(2000)).toEqual([1, 2]);
      expect(await due(2000)).toEqual([]);
      const end = (sequence: number, state: 'delivered' | 'failed') =>
        write(async (tx) => {
          const newest = { webhookId: webhook.id, state: undefined, before: sequence + 1, limit: 1 };
          const [one] = await tx.webhooks.scanDeliveries(newest);
          await tx.webhooks.end(one!, { ...attempt, error: null, status: 204 }, state, 6000);
        });
      await end(1, 'failed');
      expect(await due(6000)).toEqual([2, 3]);
      // Later ones of either key of the move wait for it.
      await end(3, 'delivered');
      expect(await due(7000)).toEqual([4, 5, 2]);
      expect(await read().webhooks.countPending(webhook.id, 10)).toBe(3);
      expect(await read().webhooks.countPending(webhook.id, 2)).toBe(2);
    });

    it('keep what an attempt brought, and forget what ended long ago', async () => {
      await add(webhook);
      await write(async (tx) => {
        await tx.webhooks.write(delivery(1, 'a'), 2000);
        await tx.webhooks.write(delivery(2, 'b'), 2000);
      });
      await write(async (tx) => {
        const [one, other] = await tx.webhooks.takeDue(webhook.id, 2000, 3000, 10);
        await tx.webhooks.putBack(one!, attempt, 9000);
        await tx.webhooks.end(other!, attempt, 'failed', 5000);
      });
      const scan = { webhookId: webhook.id, before: 100, limit: 10 };
      expect(await read().webhooks.scanDeliveries({ ...scan, state: undefined })).toEqual([
        { ...delivery(2, 'b'), state: 'failed', waitsFor: null, dueAt: null, tries: 1, last: attempt, endedAt: 5000 },
        { ...delivery(1, 'a'), state: 'pending', waitsFor: null, dueAt: 9000, tries: 1, last: attempt, endedAt: null },
      ]);
      const inState = async (state: DeliveryState) =>
        (await read().webhooks.scanDeliveries({ ...scan, state })).map(({ sequence }) => sequence);
      // The first one has failed, and is tried again.
      expect([await inState('failed'), await inState('pending'), await inState('delivered')]).toEqual([
        [2, 1],
        [1],
        [],
      ]);
      expect(await read().webhooks.scanDeliveries({ ...scan, state: 'failed', before: 1 })).toEqual([]);
      expect(await write((tx) => tx.webhooks.forgetEndedBefore(5000, 10))).toBe(0);
      expect(await write((tx) => tx.webhooks.forgetEndedBefore(5001, 10))).toBe(1);
      await write((tx) => tx.webhooks.remove(webhook.id));
      expect(await read().webhooks.scanDeliveries({ ...scan, state: undefined })).toEqual([]);
    });

    it('are taken by one of several that ask at once', async () => {
      await add(webhook);
      await write(async (tx) => {
        for (let at = 1; at <= 5; at++) await tx.webhooks.write(delivery(at, `${at}`), 2000);
      });
      const taken = await Promise.all(
        Array.from({ length: 6 }, () =>
          store.metadata.atomically((tx) => tx.webhooks.takeDue(webhook.id, 2000, 3000, 2), { account: accountId }),
        ),
      );
      expect(
        taken
          .flat()
          .map(({ sequence }) => sequence)
          .toSorted(),
      ).toEqual([1, 2, 3, 4, 5]);
    });
  });
}
