import { createPublicKey, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { retryDelaysMs } from '#server/features/webhooks/delivery.ts';
import { eventually } from '#test/support/eventually.ts';
import { fileDetails } from '#test/support/file-details.ts';
import { upload } from '#test/support/files.ts';
import { startHookServer, type HookServer } from '#test/support/hook-server.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer({ env: { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' } })));
afterAll(() => server.stop());

const json = (method: string, path: string, { credential }: Pick<TestAccount, 'credential'>, body?: unknown) =>
  server.send(path, {
    method,
    credential,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

async function create(account: TestAccount, hook: HookServer, more: object = {}) {
  const answer = await json('POST', '/v1/webhooks', account, { url: `http://127.0.0.1:${hook.port}/hook`, ...more });
  expect(answer.status).toBe(201);
  return answer.json().response as { id: string; secret: string; public_key: string };
}

const info = async (account: TestAccount, id: string) =>
  (await json('GET', `/v1/webhooks/${id}`, account)).json().response;
const deliveries = async (account: TestAccount, id: string, query = '') =>
  (await json('GET', `/v1/webhooks/${id}/deliveries?${query}`, account)).json().response.deliveries as any[];

/** Waits until no delivery is under way, with the clock where it is. */
async function settled(account: TestAccount, id: string, state: string): Promise<void> {
  await eventually(async () => expect((await deliveries(account, id))[0]?.state).toBe(state));
}

const answerWith =
  (status: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse): void =>
    void res.writeHead(status, headers).end();

describe('webhooks', () => {
  it('deliver what happens, signed as the package of the specification and an Ed25519 key verify it', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const { id, secret, public_key: publicKey } = await create(account, hook);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id: object } = (await upload(server, account)).json().response;
    await settled(account, id, 'delivered');
    expect(hook.calls).toHaveLength(1);
    const [{ headers, body }] = hook.calls as [HookServer['calls'][number]];
    expect(body).toMatchObject({ type: 'object.created', account_id: account.id, data: { object: { id: object } } });
    expect(headers['webhook-id']).toBe((body as { id: string }).id);
    vi.setSystemTime(server.clock.now());
    const text = JSON.stringify(body);
    const signed = headers as Record<string, string>;
    expect(new Webhook(secret).verify(text, signed)).toEqual(body);
    expect(() => new Webhook(secret).verify(`${text} `, signed)).toThrow();
    expect(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(text, signed)).toThrow();
    vi.useRealTimers();
    const asymmetric = signed['webhook-signature']!.split(' ')
      .find((one) => one.startsWith('v1a,'))!
      .slice(4);
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey.slice(5), 'base64').toString('base64url') },
      format: 'jwk',
    });
    const content = Buffer.from(`${signed['webhook-id']}.${signed['webhook-timestamp']}.${text}`);
    expect(verify(null, content, key, Buffer.from(asymmetric, 'base64'))).toBe(true);
    expect(await info(account, id)).toMatchObject({ enabled: true, pending: 0, consecutive_failures: 0 });
    expect(JSON.stringify(await info(account, id))).not.toContain(secret);
  });

  it('filter by type and prefix, and send a test to one endpoint whatever its filters are', async () => {
    const account = await server.account();
    const [hook, other] = [await startHookServer(), await startHookServer()];
    const one = await create(account, hook, { types: ['object.deleted', 'upload.*'], prefixes: ['photos'] });
    await create(account, other, { prefixes: ['docs'] });
    const { id } = (await upload(server, account, { query: { prefix: 'photos' } })).json().response;
    await upload(server, account, { query: { prefix: 'photosx' } });
    await json('DELETE', '/v1/objects', account, { object: id });
    const test = await json('POST', `/v1/webhooks/${one.id}/test`, account);
    await eventually(() => expect(hook.calls).toHaveLength(2));
    expect(hook.calls.map(({ body }) => (body as { type: string }).type).toSorted()).toEqual([
      'object.deleted',
      'webhook.test',
    ]);
    expect(hook.calls.map(({ headers }) => headers['webhook-id'])).toContain(test.json().response.event);
    await sleep(100);
    expect(other.calls).toEqual([]);
  });

  it('repeat a failed delivery with the same id after the specified times, and give it up at last', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    hook.answer = answerWith(500);
    const { id } = await create(account, hook);
    await upload(server, account);
    for (const [at, delayMs] of retryDelaysMs.entries()) {
      await eventually(async () => expect((await deliveries(account, id))[0]?.attempts).toBe(at + 1));
      const [waiting] = await deliveries(account, id);
      expect(waiting).toMatchObject({ state: 'pending', status: 500, error: 'The endpoint answered 500.' });
      const wait = Date.parse(waiting.next_attempt_at) - server.clock.now();
      expect(wait).toBeGreaterThanOrEqual(delayMs);
      expect(wait).toBeLessThanOrEqual(delayMs * 1.1 + 1);
      server.clock.advance(wait - 1);
      await sleep(30);
      expect(hook.calls).toHaveLength(at + 1);
      server.clock.advance(1);
    }
    await settled(account, id, 'failed');
    expect(hook.calls).toHaveLength(10);
    expect(new Set(hook.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it.each([
    ['another address', (port: number) => ({ url: `http://127.0.0.1:${port}/mended` })],
    ['enabled: true', () => ({ enabled: true })],
  ])('try at once what waits for another attempt, after %s', async (_what, change) => {
    const account = await server.account();
    const hook = await startHookServer();
    hook.answer = answerWith(503, { 'retry-after': '3600' });
    const { id } = await create(account, hook);
    await upload(server, account);
    await eventually(async () => expect((await deliveries(account, id))[0]?.attempts).toBe(1));
    hook.answer = answerWith(204);
    expect((await json('PATCH', `/v1/webhooks/${id}`, account, { description: 'ours' })).status).toBe(200);
    expect(await info(account, id)).toMatchObject({ pending: 1 });
    expect((await json('PATCH', `/v1/webhooks/${id}`, account, change(hook.port))).status).toBe(200);
    await settled(account, id, 'delivered');
    expect(hook.calls).toHaveLength(2);
  });

  it('obey Retry-After, follow no redirect, and end at a 410', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    hook.answer = answerWith(503, { 'retry-after': '3600' });
    const { id } = await create(account, hook);
    await upload(server, account, { query: { name: 'first' } });
    await eventually(async () => expect((await deliveries(account, id))[0]?.attempts).toBe(1));
    const [waiting] = await deliveries(account, id);
    expect(Date.parse(waiting.next_attempt_at) - server.clock.now()).toBe(3_600_000);
    hook.answer = answerWith(302, { location: `http://127.0.0.1:${hook.port}/other` });
    await upload(server, account, { query: { name: 'second' } });
    await eventually(async () => expect((await deliveries(account, id))[0]).toMatchObject({ status: 302 }));
    expect(hook.calls.map(({ path }) => path)).toEqual(['/hook', '/hook']);
    hook.answer = answerWith(410);
    await upload(server, account, { query: { name: 'third' } });
    await eventually(async () => expect(await info(account, id)).toMatchObject({ disabled_reason: 'gone' }));
    // Enabled again, it gets what it has missed.
    hook.answer = answerWith(204);
    await upload(server, account, { query: { name: 'fourth' } });
    await json('PATCH', `/v1/webhooks/${id}`, account, { enabled: true });
    server.clock.advance(3_700_000);
    await eventually(async () => expect(await info(account, id)).toMatchObject({ enabled: true, pending: 0 }));
    expect((await deliveries(account, id, 'state=delivered')).length).toBe(4);
  });

  it('keep the order of a file, over its moves, and let other files pass', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const seen: string[] = [];
    let isBroken = true;
    hook.answer = (res, { body }) => {
      const { type, data } = body as { type: string; data: any };
      const name = data.object.id.split('/').at(-1);
      if (isBroken && name !== 'other.png') return answerWith(500)(res);
      seen.push(`${type} ${name}`);
      return answerWith(204)(res);
    };
    const { id: webhook } = await create(account, hook);
    const { id } = (await upload(server, account, { query: { name: 'a' } })).json().response;
    const move = { source: id, destination: { name: 'b' }, move: true };
    const moved = (await json('POST', '/v1/objects/copy', account, move)).json().response.id;
    await json('DELETE', '/v1/objects', account, { object: moved });
    await upload(server, account, { query: { name: 'other' } });
    await eventually(() => expect(seen).toEqual(['object.created other.png']));
    await eventually(async () => expect(await info(account, webhook)).toMatchObject({ pending: 3 }));
    isBroken = false;
    server.clock.advance(6000);
    await eventually(() => expect(seen).toHaveLength(4));
    expect(seen.slice(1)).toEqual(['object.created a.png', 'object.moved b.png', 'object.deleted b.png']);
  });

  it('replay one event or a range, with the same ids', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const { id } = await create(account, hook);
    for (let at = 0; at < 3; at++) {
      await upload(server, account, { query: { name: `file_${at}` } });
      server.clock.advance(60_000);
    }
    await eventually(() => expect(hook.calls).toHaveLength(3));
    const ids = hook.calls.map(({ headers }) => headers['webhook-id']);
    const replay = (body: object) => json('POST', `/v1/webhooks/${id}/replay`, account, body);
    expect((await replay({ event: ids[1] })).status).toBe(200);
    await eventually(() => expect(hook.calls).toHaveLength(4));
    expect(hook.calls[3]!.headers['webhook-id']).toBe(ids[1]);
    const from = new Date(server.clock.now() - 2 * 60_000).toISOString();
    expect((await replay({ from, to: new Date(server.clock.now()).toISOString() })).status).toBe(200);
    await eventually(() => expect(hook.calls).toHaveLength(6));
    expect(hook.calls.slice(4).map(({ headers }) => headers['webhook-id'])).toEqual([ids[1], ids[2]]);
    expect((await replay({ event: `evt_${account.id}_zz_zz` })).json().code).toBe('EVENT_NOT_FOUND');
    expect((await replay({})).json().code).toBe('INVALID_BODY');
    expect((await replay({ from: 'yesterday' })).json().code).toBe('INVALID_TIME_RANGE');
  });

  it('rotate their secrets with an overlap of a day', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const { id, secret } = await create(account, hook);
    const rotated = (await json('POST', `/v1/webhooks/${id}/rotate`, account)).json().response;
    expect(rotated.secret).not.toBe(secret);
    const verifies = async (name: string, of: string) => {
      const before = hook.calls.length;
      await upload(server, account, { query: { name } });
      await eventually(() => expect(hook.calls).toHaveLength(before + 1));
      const { headers, body } = hook.calls.at(-1)!;
      vi.setSystemTime(server.clock.now());
      try {
        new Webhook(of).verify(JSON.stringify(body), headers as Record<string, string>);
        return true;
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    };
    expect([await verifies('a', secret), await verifies('b', rotated.secret)]).toEqual([true, true]);
    server.clock.advance(86_400_000);
    expect([await verifies('c', secret), await verifies('d', rotated.secret)]).toEqual([false, true]);
  });

  it('send the Records of Amazon S3', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    await create(account, hook, { format: 's3' });
    const { id, size } = (await upload(server, account, { query: { prefix: 'my_photos' } })).json().response;
    await json('DELETE', '/v1/objects', account, { object: id });
    await server.key(account, { scopes: ['*'] });
    await eventually(() => expect(hook.calls).toHaveLength(2));
    const records = hook.calls.map(({ body }) => (body as { Records: any[] }).Records[0]);
    expect(records.map(({ eventName }) => eventName)).toEqual(['ObjectCreated:Put', 'ObjectRemoved:Delete']);
    expect(records[0]).toMatchObject({
      eventVersion: '2.1',
      s3: { bucket: { name: 'public' }, object: { key: 'my_photos/photo.png', size } },
    });
    expect(records[0].s3.object.sequencer < records[1].s3.object.sequencer).toBe(true);
  });

  it('hold nobody up when one endpoint never answers, with many events behind it', async () => {
    const [slow, quick] = [await server.account(), await server.account()];
    const [dead, live] = [await startHookServer(), await startHookServer()];
    dead.answer = () => {};
    const { id } = await create(slow, dead);
    await create(quick, live);
    const { metadata } = server.running.app.stores;
    const startedAt = performance.now();
    const most = process.env.CUBBY_TEST_LONG ? 100_000 : 2000;
    const heapBefore = process.memoryUsage().heapUsed;
    for (let at = 0; at < most; at += 500)
      await metadata.atomically(
        async (tx) => {
          for (let more = 0; more < 500; more++) {
            const key = `${at + more}`;
            const data = fileDetails(`pub/${slow.id}/${key}`);
            await tx.events.add({ accountId: slow.id, type: 'object.updated', key, data }, tx.now);
          }
        },
        { account: slow.id },
      );
    await eventually(
      async () => expect(await info(slow, id)).toMatchObject({ pending: Math.min(most, 10_000) }),
      60_000,
    );
    await eventually(
      async () => expect((await metadata.read.webhooks.find(id))!.writtenSequence).toBeGreaterThanOrEqual(most),
      100_000,
    );
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(150_000_000);
    const began = performance.now();
    await upload(server, quick);
    await eventually(() => expect(live.calls).toHaveLength(1));
    expect(performance.now() - began).toBeLessThan(10_000);
    // Five at once, and each is given up after 15 seconds.
    expect(dead.calls.length).toBeLessThanOrEqual(5 * Math.ceil((performance.now() - startedAt) / 15_000));
    await json('DELETE', `/v1/webhooks/${id}`, slow);
  }, 240_000);

  it('belong to their account, and have no more than 20', async () => {
    const [account, other] = [await server.account(), await server.account()];
    const hook = await startHookServer();
    const { id } = await create(account, hook);
    expect((await json('GET', `/v1/webhooks/${id}`, other)).json().code).toBe('WEBHOOK_NOT_FOUND');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => json('POST', '/v1/webhooks', account, { url: 'https://example.com/hook' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(answers.find(({ status }) => status !== 201)!.json().code).toBe('TOO_MANY_WEBHOOKS');
    expect((await json('DELETE', `/v1/webhooks/${id}`, account)).status).toBe(200);
    expect((await json('GET', `/v1/webhooks/${id}`, account)).json().code).toBe('WEBHOOK_NOT_FOUND');
  });
});
