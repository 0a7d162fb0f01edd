import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { forgetEvents } from '#server/domain/jobs/forget.ts';
import { deleteExpired } from '#server/features/files/deletion/delete-expired.ts';
import { schemaChecker } from '#mocks/schema-check.ts';
import { chunking } from '#test/support/chunked.ts';
import { contract } from '#test/support/contract.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { exchange } from '#test/s3/exchange.ts';
import { startGateway } from '#test/s3/gateway.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
const schemas = schemaChecker(contract);
const chunks = chunking(() => server);
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const dayMs = 86_400_000;

async function page(credential: string, query = '') {
  const answer = await server.send(`/v1/events?${query}`, { credential });
  expect(answer.status).toBe(200);
  const read = answer.json().response as {
    events: Array<{ id: string; type: string; timestamp: string; account_id: string; data: any }>;
    cursor: string;
    truncated: boolean;
  };
  // The contract has a schema for each type. A restricted key may see less of a move.
  for (const event of read.events.filter(({ data }) => data.object !== undefined)) {
    const { schema } = contract.webhooks[event.type].post.requestBody.content['application/json'];
    expect(schemas(schema)(event), event.type).toEqual([]);
  }
  return read;
}

/** Returns what happens to the account while `act` runs. */
async function eventsOf(account: TestAccount, act: () => Promise<unknown>) {
  const { cursor } = await page(account.credential, 'cursor=latest');
  await act();
  return (await page(account.credential, `cursor=${cursor}`)).events;
}

const json = (method: string, path: string, account: TestAccount, body: unknown) =>
  server.send(path, {
    method,
    credential: account.credential,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const typesOf = (events: ReadonlyArray<{ type: string }>) => events.map(({ type }) => type);

describe('events by poll', () => {
  it('tell of an upload, its replacement and its deletion, each with the file as it was', async () => {
    const account = await server.account();
    const bytes = someBytes();
    const events = await eventsOf(account, async () => {
      const query = { prefix: 'photos', private: 'true', metadata: '{"a":"1"}' };
      const { id } = (await upload(server, account, { bytes, query, filename: 'Cat.png' })).json().response;
      const replaced = { prefix: 'docs', overwrite: 'true' };
      await upload(server, account, { query: replaced });
      await upload(server, account, { query: replaced });
      await json('DELETE', '/v1/objects', account, { object: id });
    });
    expect(typesOf(events)).toEqual(['object.created', 'object.created', 'object.replaced', 'object.deleted']);
    const now = new Date(server.clock.now()).toISOString();
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9]{18}_[0-9a-z]+_[0-9a-z]+$/),
      type: 'object.created',
      timestamp: now,
      account_id: account.id,
      data: {
        object: {
          id: expect.stringMatching(`^prv/${account.id}/photos/photo_[a-z0-9]+\\.png$`),
          size: bytes.length,
          etag: expect.stringMatching(/^[0-9a-f]{32}$/),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          content_type: 'image/png',
          private: true,
          created_at: now,
          expires_at: null,
          original_name: 'Cat.png',
          metadata: { a: '1' },
        },
        auth: 'api_key',
      },
    });
    expect(events[3]!.data.object).toEqual(events[0]!.data.object);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
  });

  it('tell of moves, copies, visibility, expiry and headers', async () => {
    const account = await server.account();
    let id = (await upload(server, account)).json().response.id as string;
    const events = await eventsOf(account, async () => {
      const moved = await json('POST', '/v1/objects/copy', account, {
        source: id,
        destination: { name: 'moved' },
        move: true,
      });
      const copied = moved.json().response.id;
      await json('POST', '/v1/objects/copy', account, { source: copied, destination: { name: 'copied' } });
      const changes = { object: copied, private: true, expire: '30d', disposition: 'attachment' };
      const updated = await json('PATCH', '/v1/objects', account, changes);
      id = updated.json().response.results[0].id;
      await json('PATCH', '/v1/objects', account, { object: id, metadata: { a: 'b' } });
    });
    expect(typesOf(events)).toEqual([
      'object.moved',
      'object.created',
      'object.visibility_changed',
      'object.expiry_changed',
      'object.updated',
      'object.updated',
    ]);
    expect(events[0]!.data).toMatchObject({ from: `pub/${account.id}/photo.png`, replaced: false });
    expect(events[1]!.data).toMatchObject({ source: `pub/${account.id}/moved.png` });
    expect(events[2]!.data).toMatchObject({
      from: `pub/${account.id}/moved.png`,
      changed: ['private', 'expire', 'disposition'],
      object: { id, private: true },
    });
  });

  it('tell of chunked uploads, and of expired files', async () => {
    const account = await server.account();
    const chunked = await eventsOf(account, async () => {
      const handle = await chunks.open(account);
      await chunks.put(account, handle, 1, someBytes(5_242_880));
      await chunks.complete(account, handle);
      const aborted = await chunks.open(account, { name: 'aborted' });
      await chunks.abort(account, aborted);
    });
    expect(typesOf(chunked)).toEqual([
      'upload.started',
      'object.created',
      'upload.completed',
      'upload.started',
      'upload.aborted',
    ]);
    const expired = await eventsOf(account, async () => {
      await upload(server, account, { query: { name: 'short', expire: '7' } });
      server.clock.advance(8 * dayMs);
      await deleteExpired(server.running.app.stores, server.clock.now());
    });
    expect(typesOf(expired)).toEqual(['object.created', 'object.expired']);
    expect(expired[1]!.data.auth).toBe(systemActor.auth);
  });

  it('tell of files over S3', async () => {
    const gateway = await startGateway();
    const send = (method: string, headers: Record<string, string> = {}, key = 'a/b.txt') =>
      exchange(gateway, {
        method,
        path: `/private/${key}`,
        headers,
        ...(method === 'PUT' && { body: 'x'.repeat(600) }),
      });
    await send('PUT');
    await send('PUT');
    await exchange(gateway, {
      method: 'PUT',
      path: '/public/copy.txt',
      headers: { 'x-amz-copy-source': '/private/a/b.txt' },
    });
    await send('DELETE');
    const answer = await gateway.server.send('/v1/events', { credential: gateway.account.credential });
    const events = answer.json().response.events.filter(({ type }: { type: string }) => type.startsWith('object.'));
    expect(typesOf(events)).toEqual(['object.created', 'object.replaced', 'object.created', 'object.deleted']);
    expect(events[0].data).toMatchObject({
      object: { id: `prv/${gateway.account.id}/a/b.txt`, size: 600 },
      auth: 's3',
    });
    await gateway.stop();
  });

  it('go on at the cursor, page by page, and show nothing twice', async () => {
    const account = await server.account();
    const { cursor: start } = await page(account.credential, 'cursor=latest');
    for (let at = 0; at < 7; at++) await upload(server, account, { query: { name: `file_${at}` } });
    const seen: string[] = [];
    let cursor = start;
    for (;;) {
      const { events, cursor: next, truncated } = await page(account.credential, `limit=3&cursor=${cursor}`);
      expect(truncated).toBe(false);
      if (events.length === 0) {
        expect(next).toBe(cursor);
        break;
      }
      seen.push(...events.map(({ data }) => data.object.id.split('/').at(-1)));
      cursor = next;
    }
    expect(seen).toEqual(Array.from({ length: 7 }, (_, at) => `file_${at}.png`));
    const other = await server.account();
    const refused = await server.send(`/v1/events?cursor=${cursor}`, { credential: other.credential });
    expect(refused.json().code).toBe('INVALID_CONTINUATION_TOKEN');
  });

  it('say that history is gone, and go on at the oldest event that is kept', async () => {
    const account = await server.account();
    await upload(server, account, { query: { name: 'first' } });
    const { cursor } = await page(account.credential);
    await upload(server, account, { query: { name: 'second' } });
    server.clock.advance(31 * dayMs);
    const { metadata, eventsKeptMs } = server.running.app.stores;
    await upload(server, account, { query: { name: 'third' } });
    const between = (await page(account.credential, `cursor=${cursor}`)).cursor;
    await forgetEvents({ metadata, eventsKeptMs }, server.clock.now());
    const gone = await page(account.credential, `cursor=${cursor}`);
    expect(gone.truncated).toBe(true);
    expect(gone.events.map(({ data }) => data.object.id)).toEqual([`pub/${account.id}/third.png`]);
    // Nothing behind this one is missing, although the event itself may be forgotten.
    expect(await page(account.credential, `cursor=${between}`)).toMatchObject({ truncated: false, events: [] });
    server.clock.advance(31 * dayMs);
    await forgetEvents({ metadata, eventsKeptMs }, server.clock.now());
    expect(await page(account.credential, `cursor=${between}`)).toMatchObject({ truncated: false, events: [] });
    expect(await page(account.credential, `cursor=${cursor}`)).toMatchObject({ truncated: true, events: [] });
  });

  it('show a restricted key only files under its prefixes, and events of the account with account:read', async () => {
    const account = await server.account();
    const inside = await server.key(account, { scopes: ['blob:read'], prefixes: ['inside'] });
    const blobs = await server.key(account, { scopes: ['blob:read'] });
    const { cursor } = await page(account.credential, 'cursor=latest');
    const { id } = (await upload(server, account, { query: { prefix: 'outside' } })).json().response;
    await upload(server, account, { query: { prefix: 'inside' } });
    await server.key(account, { scopes: ['*'] });
    const destination = { name: 'moved', prefix: 'inside' };
    await json('POST', '/v1/objects/copy', account, { source: id, destination, move: true });
    const seen = (await page(inside, `cursor=${cursor}`)).events;
    expect(typesOf(seen)).toEqual(['object.created', 'object.moved']);
    expect(JSON.stringify(seen)).not.toContain('outside');
    expect(typesOf((await page(blobs, `cursor=${cursor}`)).events)).toEqual([
      'object.created',
      'object.created',
      'object.moved',
    ]);
  });

  it('are read one by one, as the list shows them', async () => {
    const account = await server.account();
    const inside = await server.key(account, { scopes: ['blob:read'], prefixes: ['inside'] });
    const blobs = await server.key(account, { scopes: ['blob:read'] });
    const { id } = (await upload(server, account, { query: { prefix: 'outside' } })).json().response;
    const destination = { name: 'moved', prefix: 'inside' };
    await json('POST', '/v1/objects/copy', account, { source: id, destination, move: true });
    const { events } = await page(account.credential);
    for (const credential of [account.credential, blobs, inside]) {
      const listed = new Map((await page(credential)).events.map((event) => [event.id, event]));
      expect(listed.size).toBeGreaterThan(0);
      for (const event of events) {
        const answer = await server.send(`/v1/events/${event.id}`, { credential });
        const seen = listed.get(event.id);
        if (seen) expect(answer.json()).toEqual({ status: 'success', response: seen });
        else expect([answer.status, answer.json().code]).toEqual([404, 'EVENT_NOT_FOUND']);
      }
    }
    expect((await page(inside)).events.length).toBeLessThan(events.length);
    expect((await page(blobs)).events.length).toBeLessThan(events.length);
  });

  it('answer alike when they are unknown, forgotten or of another account', async () => {
    const account = await server.account();
    await upload(server, account);
    const event = (await page(account.credential)).events.at(-1)!;
    const answerTo = async (id: string, { credential } = account) => {
      const answer = await server.send(`/v1/events/${encodeURIComponent(id)}`, { credential });
      return [answer.status, { ...answer.json(), request_id: undefined }];
    };
    const unknown = await answerTo('evt_missing');
    expect(unknown).toMatchObject([404, { code: 'EVENT_NOT_FOUND' }]);
    const [, owner, sequence, at] = event.id.split('_');
    const other = await server.account();
    await upload(server, other);
    expect(await answerTo(event.id, other)).toEqual(unknown);
    // The same event under another text, and another instant under its sequence.
    for (const id of [
      `evt_${owner}_0${sequence}_${at}`,
      `evt_${owner}_${sequence}_zz`,
      `evt_${owner}_zzzzzzzzzz_${at}`,
    ])
      expect(await answerTo(id), id).toEqual(unknown);
    expect((await answerTo(event.id))[0]).toBe(200);
    server.clock.advance(31 * dayMs);
    const { metadata, eventsKeptMs } = server.running.app.stores;
    await forgetEvents({ metadata, eventsKeptMs }, server.clock.now());
    expect(await answerTo(event.id)).toEqual(unknown);
  });

  it('leave nothing of a rejected request', async () => {
    const account = await server.account();
    const events = await eventsOf(account, async () => {
      await upload(server, account, { query: { checksum_sha256: '0'.repeat(64) } });
      await upload(server, account, { bytes: someBytes(10) });
    });
    expect(events).toEqual([]);
  });
});
