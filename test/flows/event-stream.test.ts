import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { runCli } from '#server/cli/program.ts';
import { parseEventStream, type ServerSentEvent } from '#server/features/webhooks/commands/parse-event-stream.ts';
import { eventually } from '#test/support/eventually.ts';
import { fileDetails } from '#test/support/file-details.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { sameOrigin, signedIn } from '#test/support/sessions.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const address = (query = '') => new URL(`/v1/events?${query}`, server.running.urls.api);

/** Opens a stream, and gathers its events. */
async function open(
  account: Pick<TestAccount, 'credential'>,
  query = 'cursor=latest',
  more: Record<string, string> = {},
) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(address(query), {
    headers: { authorization: account.credential, accept: 'text/event-stream', ...more },
    signal: stop.signal,
  });
  const events: ServerSentEvent[] = [];
  const ended = (async () => {
    for await (const event of parseEventStream(response.body!.pipeThrough(new TextDecoderStream()))) events.push(event);
  })().catch(() => {});
  return { response, events, ended, close: () => stop.abort() };
}

const typesOf = (events: readonly ServerSentEvent[]) => events.map(({ data }) => JSON.parse(data).type);

describe('events as a stream', () => {
  it('come as they happen, and go on behind the last one that was seen', async () => {
    const account = await server.account();
    const first = await open(account);
    expect(first.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(first.response.headers.get('cache-control')).toBe('no-store');
    await upload(server, account, { query: { name: 'first' } });
    await eventually(() => expect(typesOf(first.events)).toEqual(['object.created']));
    first.close();
    await upload(server, account, { query: { name: 'second' } });
    const again = await open(account, 'cursor=latest', { 'last-event-id': first.events[0]!.id! });
    await eventually(() => expect(again.events).toHaveLength(1));
    expect(JSON.parse(again.events[0]!.data).data.object.id).toContain('second');
    const page = await server.send(`/v1/events?cursor=${again.events[0]!.id}`, { credential: account.credential });
    expect(page.json().response.events).toEqual([]);
  });

  it('end with the session that opened them, also before it would expire', async () => {
    const account = await server.account();
    const browser = await signedIn(server, account.credential);
    const response = await fetch(address('cursor=latest'), {
      headers: { ...sameOrigin, cookie: browser.cookie, accept: 'text/event-stream' },
    });
    const text = response.text();
    expect((await browser.send('/v1/session', { method: 'DELETE' })).status).toBe(200);
    await upload(server, account, { query: { name: 'after-the-sign-out' } });
    expect(await text).not.toContain('after-the-sign-out');
  });

  it('bring nothing that happens after the key was revoked, however busy the account is', async () => {
    const account = await server.account();
    const key = await server.key(account, { scopes: ['blob:read'] });
    const { id } = (await server.send('/v1/session', { credential: key })).json().response.key;
    const stream = await open({ credential: key });
    await upload(server, account, { query: { name: 'before' } });
    await eventually(() => expect(stream.events).toHaveLength(1));
    await server.send(`/v1/account/keys/${id}`, { method: 'DELETE', credential: account.credential });
    await upload(server, account, { query: { name: 'after' } });
    await stream.ended;
    expect(JSON.stringify(stream.events)).not.toContain('after');
  });

  it('reject a wrong cursor with a response, and end when the key is revoked or the server stops', async () => {
    const account = await server.account();
    const headers = { accept: 'text/event-stream' };
    const refused = await server.send('/v1/events?cursor=wrong', { credential: account.credential, headers });
    expect(refused.json().code).toBe('INVALID_CONTINUATION_TOKEN');
    const own = await startTestServer();
    const response = await fetch(new URL('/v1/events?cursor=latest', own.running.urls.api), {
      headers: { ...headers, authorization: (await own.account()).credential },
    });
    const text = response.text();
    await own.stop();
    expect(await text).toContain('retry:');
  });

  it('are no more than ten of an account, and a closed one lets another begin', async () => {
    const account = await server.account();
    const streams = [];
    for (let at = 0; at < 10; at++) streams.push(await open(account));
    const refused = await open(account);
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '10']);
    streams[0]!.close();
    await eventually(async () => expect((await open(account)).response.status).toBe(200));
  });

  it('wait for a slow reader without keeping its events in memory', async () => {
    const account = await server.account();
    const { metadata } = server.running.app.stores;
    for (let at = 0; at < 40; at++)
      await metadata.atomically(
        async (tx) => {
          for (let more = 0; more < 100; more++) {
            const key = `${at}-${more}`;
            const data = fileDetails(`pub/${account.id}/${key}`, { callbackMetadata: { note: 'x'.repeat(4000) } });
            await tx.events.add({ accountId: account.id, type: 'object.updated', key, data }, tx.now);
          }
        },
        { account: account.id },
      );
    const { port } = new URL(server.running.urls.api);
    const scan = vi.spyOn(metadata.read.events, 'scan');
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${account.credential}\r\n` +
        'Accept: text/event-stream\r\n\r\n',
    );
    socket.pause();
    // 16 MB wait in the database: the socket takes some, and no more than one page is read beyond. Then the reads end.
    let reads = -1;
    await eventually(() => {
      const before = reads;
      reads = scan.mock.calls.length;
      expect(before).toBe(reads);
    });
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(40);
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.resume();
    await eventually(() => expect(received).toBeGreaterThan(16_000_000));
    scan.mockRestore();
  });
});

describe('cubby listen', () => {
  it('posts each event to a local address, signed', async () => {
    const account = await server.account();
    const calls: Array<{ headers: Record<string, string>; body: string }> = [];
    const local = createServer(async (req, res) => {
      let body = '';
      for await (const chunk of req) body += chunk;
      calls.push({ headers: req.headers as Record<string, string>, body });
      res.writeHead(204).end();
    });
    await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
    const secret = `whsec_${Buffer.from('a secret of some bytes').toString('base64')}`;
    let [out, err] = ['', ''];
    const forward = `http://127.0.0.1:${(local.address() as AddressInfo).port}/hook`;
    const args = ['listen', '--key', account.credential, '--forward', forward, '--secret', secret];
    const ended = runCli(
      [...args, '--server', server.running.urls.api],
      {},
      {
        out: (text) => (out += text),
        err: (text) => (err += text),
      },
    );
    await eventually(() => expect(err).toContain('Secret: whsec_'));
    await sleep(200);
    await upload(server, account, { query: { name: 'first' } });
    await upload(server, account, { query: { name: 'second' } });
    await eventually(() => expect(calls).toHaveLength(2));
    for (const { headers, body } of calls) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(calls.map(({ body }) => JSON.parse(body).data.object.id.split('/').at(-1))).toEqual([
      'first.png',
      'second.png',
    ]);
    await eventually(() => expect(out).toMatch(/^object\.created evt_\w+ -> 204\nobject\.created evt_\w+ -> 204\n$/));
    process.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(0);
    local.close();
    expect(
      await runCli(
        [...args, '--server', server.running.urls.api, '--since', 'wrong'],
        {},
        { out: () => {}, err: () => {} },
      ),
    ).toBe(1);
  });
});
