import { once } from 'node:events';

import { describe, expect, it, onTestFinished } from 'vitest';

import { webhookQueue } from '#server/features/webhooks/backends/webhook-queue.ts';
import { signallingEvents } from '#server/domain/events/event-signals.ts';
import { eventId, type NewEvent } from '#server/domain/events/event.ts';
import { createWebhook } from '#server/features/webhooks/create-webhook.ts';
import { replayEvent, replayRange } from '#server/features/webhooks/replay-events.ts';
import type { WebhookMessage, WebhookResponse } from '#server/features/webhooks/sender.ts';
import type { WebhookFormat } from '#server/features/webhooks/webhook.ts';
import { webhookBody } from '#server/features/webhooks/handlers/webhook-body.ts';
import { eventually } from '#test/support/eventually.ts';
import { fileDetails } from '#test/support/file-details.ts';
import { openTestStores } from '#test/support/stores.ts';

const confirmed: WebhookResponse = { status: 204, error: null, retryAfterMs: 0 };
const refused: WebhookResponse = { status: 500, error: 'The endpoint answered 500.', retryAfterMs: 0 };

/** Starts a queue with endpoints of the test. Its clock moves only when the test moves it. */
async function start() {
  const stores = await openTestStores();
  const { metadata, signals } = signallingEvents(stores.metadata);
  const faults: unknown[] = [];
  const endpoint = {
    sent: [] as Array<WebhookMessage & { readonly wasConfirmed: boolean }>,
    running: 0,
    respond: async (_message: WebhookMessage): Promise<WebhookResponse> => confirmed,
  };
  const sender = {
    async send(message: WebhookMessage) {
      endpoint.running++;
      const response = await endpoint.respond(message);
      endpoint.running--;
      endpoint.sent.push({ ...message, wasConfirmed: response.error === null && !message.signal.aborted });
      return response;
    },
  };
  const onFault = (error: unknown) => void faults.push(error);
  const options = { ...stores, metadata, signals, sender, bodyOf: webhookBody, onFault, random: () => 0.5 };
  const open = () => {
    const opened = webhookQueue({ ...options, delayMs: 1, pollMs: 2, stopTimeoutMs: 0 });
    opened.begin();
    return opened;
  };
  let queue = open();
  onTestFinished(() => queue.stop());
  const { id: accountId } = await stores.account();
  let webhooks = 0;
  const pending = async () =>
    Number(
      (
        await stores.stored(`SELECT COUNT(*) AS pending FROM webhook_deliveries
    WHERE state = 'pending'`)
      )[0]!.pending,
    );
  return {
    ...stores,
    metadata,
    accountId,
    endpoint,
    faults,
    pending,
    webhook: async (format: WebhookFormat = 'standard') => {
      const choice = { url: `https://example.com/${++webhooks}`, types: null, prefixes: null, description: '' };
      return (
        await createWebhook({ ...stores, metadata }, { ...choice, accountId, format, seesAccount: true, keyId: '' })
      ).webhook;
    },
    event: (event: Omit<NewEvent, 'accountId' | 'key'> & { readonly key?: string }) =>
      metadata.atomically((tx) => tx.events.add({ key: null, ...event, accountId } as NewEvent, tx.now), {
        account: accountId,
      }),
    /** Ends the attempts under way without their result, as a kill does, and starts again. */
    async kill() {
      await queue.stop();
      queue = open();
    },
    /** Waits until nothing is due and no attempt is under way. */
    settled: () =>
      eventually(async () => {
        const { webhooks } = metadata.read;
        expect(await webhooks.behind('', 1)).toEqual([]);
        expect(await webhooks.nextDue('', stores.clock.now())).toBeUndefined();
        expect(endpoint.running).toBe(0);
      }),
    /** Moves the clock to where the next delivery is due, and its endpoint rests no more. */
    async toNextDue() {
      const [row] =
        await stores.stored(`SELECT MIN(CASE WHEN due_at > paused_until THEN due_at ELSE paused_until END) AS
        next FROM webhook_deliveries JOIN webhooks USING (webhook_id) WHERE due_at IS NOT NULL`);
      stores.clock.advance(Math.max(Number(row!.next) - stores.clock.now(), 0));
    },
    /** Expects that each pending delivery is due some time or waits for one, and that one that ended does neither. */
    async expectNoneStuck() {
      const stuck = await stores.stored(`SELECT sequence, state, waits_for, due_at FROM webhook_deliveries AS one
        WHERE (state <> 'pending' AND (due_at IS NOT NULL OR waits_for IS NOT NULL))
        OR (state = 'pending' AND due_at IS NULL AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS other
          WHERE other.webhook_id = one.webhook_id AND other.sequence = one.waits_for AND other.state = 'pending'))`);
      expect(stuck).toEqual([]);
    },
  };
}

type Queue = Awaited<ReturnType<typeof start>>;

/** Returns numbers from 0 up to a bound, the same ones for the same seed. */
function numbers(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Records some changes of a few files, also moves, which wait for two keys. */
async function change({ event, accountId }: Queue, next: (bound: number) => number, times: number): Promise<void> {
  const idOf = (key: string) => `pub/${accountId}/${key}`;
  for (let time = 0; time < times; time++) {
    const key = `file_${next(6)}`;
    const from = next(4) === 0 ? `file_${next(6)}` : key;
    const move = from === key ? {} : { from: idOf(from) };
    await event({ type: from === key ? 'object.replaced' : 'object.moved', data: fileDetails(idOf(key), move), key });
  }
}

/** Expects that every event was confirmed, and that each file's were so in their order at first. */
async function expectAllInOrder({ endpoint, metadata, accountId }: Queue): Promise<void> {
  const events = await metadata.read.events.scan({ accountId, after: 0, limit: 10_000 });
  const confirmedAt = new Map<number, number>();
  for (const [at, { id, wasConfirmed }] of endpoint.sent.entries()) {
    const sequence = Number.parseInt(id.split('_')[2]!, 36);
    if (wasConfirmed && !confirmedAt.has(sequence)) confirmedAt.set(sequence, at);
  }
  expect(confirmedAt.size).toBe(events.length);
  const lastAt = new Map<string, number>();
  for (const { sequence, key, data } of events)
    for (const of of [key!, ...('from' in data ? [data.from!.split('/').at(-1)!] : [])]) {
      expect(confirmedAt.get(sequence), `${sequence} of ${of}`).toBeGreaterThan(lastAt.get(of) ?? -1);
      lastAt.set(of, confirmedAt.get(sequence)!);
    }
}

describe('the queue of deliveries', { timeout: 180_000 }, () => {
  it.each([1, 2, 3, 4])('leaves none behind, with failures, kills and moves (seed %i)', async (seed) => {
    const queue = await start();
    const { endpoint } = queue;
    const next = numbers(seed);
    await queue.webhook();
    let calls = 0;
    endpoint.respond = async ({ signal }) => {
      const call = ++calls;
      // A kill while the endpoint works, and a long time in which it refuses everything.
      if (call % 13 === 0 && !signal.aborted) await once(signal, 'abort');
      return call % 7 === 0 || (call > 60 && call < 90) ? refused : confirmed;
    };
    for (let round = 0; round < 8; round++) {
      await change(queue, next, 20);
      await eventually(async () => expect(await queue.metadata.read.webhooks.behind('', 1)).toEqual([]));
      await queue.kill();
      await queue.expectNoneStuck();
      await queue.toNextDue();
    }
    endpoint.respond = async () => confirmed;
    await queue.kill();
    for (let steps = 0; (await queue.pending()) > 0; steps++) {
      expect(steps).toBeLessThan(300);
      await queue.settled();
      await queue.expectNoneStuck();
      if ((await queue.pending()) > 0) await queue.toNextDue();
    }
    await expectAllInOrder(queue);
    expect(queue.faults).toEqual([]);
  });

  it('delivers a replay once, also when it is asked for while earlier attempts are under way', async () => {
    const queue = await start();
    const { endpoint, metadata, accountId, event } = queue;
    const { id: webhookId } = await queue.webhook();
    const data = fileDetails(`pub/${accountId}/a`);
    for (let time = 0; time < 2; time++) {
      await event({ type: 'object.replaced', data, key: 'a' });
      await queue.settled();
    }
    const which = { webhookId, accountId };
    const newest = async () =>
      (await metadata.read.webhooks.scanDeliveries({ webhookId, state: undefined, before: 100, limit: 1 }))[0];
    const [first, second] = endpoint.sent.map(({ id }) => id) as [string, string];
    // The second event is under way when both are replayed, so its row then waits for the first one.
    let go = (_response: WebhookResponse): void => {};
    endpoint.respond = ({ id }) =>
      id === second ? new Promise((resolve) => (go = resolve)) : Promise.resolve(refused);
    await replayEvent({ metadata }, which, second);
    await eventually(() => expect(endpoint.running).toBe(1));
    await replayRange({ metadata }, which, { from: 0, to: undefined });
    await eventually(async () => expect((await newest())!.waitsFor).toBe(1));
    endpoint.respond = async () => confirmed;
    go(confirmed);
    await queue.settled();
    await queue.toNextDue();
    await eventually(async () => expect(await queue.pending()).toBe(0));
    await queue.expectNoneStuck();
    const before = endpoint.sent.length;
    expect(endpoint.sent.at(-1)!.id).toBe(first);
    // Beyond the time that an attempt has.
    queue.clock.advance(60_000);
    await queue.settled();
    expect(endpoint.sent).toHaveLength(before);
  });

  it("sends an event without a file in the general form, when it is replayed to a webhook in S3's form", async () => {
    const queue = await start();
    const { id: webhookId } = await queue.webhook('s3');
    await queue.event({ type: 'key.created', data: { key: { id: 'a', name: 'A' }, auth: 'api_key' } });
    await queue.settled();
    const [event] = await queue.metadata.read.events.scan({ accountId: queue.accountId, after: 0, limit: 1 });
    await replayEvent(queue, { webhookId, accountId: queue.accountId }, eventId(event!));
    await eventually(async () => expect(await queue.pending()).toBe(0));
    expect(queue.faults).toEqual([]);
    expect(JSON.parse(queue.endpoint.sent[0]!.body)).toMatchObject({
      type: 'key.created',
      data: { key: { id: 'a', name: 'A' }, auth: 'api_key' },
    });
  });

  it('lets no webhook wait for the whole backlog of others', async () => {
    const queue = await start();
    const { endpoint, accountId } = queue;
    const webhooks = [];
    for (let at = 0; at < 12; at++) webhooks.push(await queue.webhook());
    const waiting: Array<() => void> = [];
    const reached = new Set<string>();
    endpoint.respond = ({ url, signal }) => {
      reached.add(url);
      return new Promise((resolve) => {
        const answer = () => resolve(confirmed);
        waiting.push(answer);
        signal.addEventListener('abort', answer, { once: true });
      });
    };
    for (let at = 0; at < 30; at++)
      await queue.event({ type: 'object.replaced', data: fileDetails(`pub/${accountId}/${at}`), key: `${at}` });
    await eventually(() => expect(endpoint.running).toBe(40));
    // One round of answers makes room for those that had none.
    for (const answer of waiting.splice(0)) answer();
    await eventually(() => expect(reached.size).toBe(12));
    endpoint.respond = async () => confirmed;
    for (const answer of waiting.splice(0)) answer();
    await eventually(async () => expect(await queue.pending()).toBe(0));
  });
});
