import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { ask, askForStream, spentToday, startChatServer, until } from '#test/support/chat.ts';
import type { TestServer } from '#test/support/server.ts';

/** With room for 64 waiting requests of an account. */
const env = {
  CUBBY_AI_QUEUE_MS: '20000',
  CUBBY_AI_STREAMING: 'on',
  CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed',
  CUBBY_BODY_MEMORY: '1GiB',
};

async function queued(server: TestServer): Promise<number> {
  const { body } = await server.send('/metrics', { door: 'operator' });
  return Number(/^cubby_ai_queued (\d+)/m.exec(body.toString())?.[1]);
}

describe('the queue of the AI gateway', () => {
  it('lets requests beyond the plan wait for their turn, in any form', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('enterprise');
    upstream.answer({ text: 'ok', delayMs: 30 });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        if (n % 3 === 0) return askForStream(server, credential, 'hello');
        if (n % 3 === 1)
          return server.send('/v2/ai/embeddings', { method: 'POST', credential, body: JSON.stringify({ input: 'a' }) });
        return ask(server, credential, 'hello');
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect((await spentToday(server, credential)).requests).toBe(24);
    expect(await queued(server)).toBe(0);
    const { body } = await server.send('/metrics', { door: 'operator' });
    expect(body.toString()).toMatch(/^cubby_ai_queue_wait_seconds_count\{end="admitted"\} [1-9]/m);
  });

  it('waits for the pace of the plan', async () => {
    const { server } = await startChatServer({ env });
    const { credential } = await server.account('pro');
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    const second = ask(server, credential, 'hello');
    await until(async () => (await queued(server)) === 1);
    server.clock.advance(2000);
    expect((await second).status).toBe(200);
  });

  it('forgets a client that goes away, which costs nothing', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('pro');
    const left = Promise.withResolvers<void>();
    upstream.answer({ text: 'At last.', after: left.promise });
    const first = ask(server, credential, 'hello');
    await until(() => upstream.requests.length === 1);
    const gone = new AbortController();
    const second = ask(server, credential, 'hello', gone.signal);
    await until(async () => (await queued(server)) === 1);
    gone.abort();
    await expect(second).rejects.toThrow();
    await until(async () => (await queued(server)) === 0);
    left.resolve();
    expect((await first).status).toBe(200);
    await sleep(50);
    expect((await spentToday(server, credential)).requests).toBe(1);
    expect(upstream.requests).toHaveLength(1);
  });

  it('rejects after the wait as without a queue, and at once what no wait can change', async () => {
    const { server, upstream } = await startChatServer({ env: { ...env, CUBBY_AI_QUEUE_MS: '150' } });
    const { credential } = await server.account('pro');
    const refused = Promise.withResolvers<void>();
    upstream.answer({ text: 'At last.', after: refused.promise });
    const first = ask(server, credential, 'hello');
    await until(() => upstream.requests.length === 1);
    const second = await ask(server, credential, 'hello');
    expect([second.status, second.json().error.code, second.headers.get('retry-after')]).toEqual([
      429,
      'concurrent_limit_reached',
      '1',
    ]);
    refused.resolve();
    await first;
  });

  it('keeps 64 parallel requests of 8 accounts within the limit of the installation', async () => {
    const { server, upstream } = await startChatServer({ env: { ...env, CUBBY_AI_MAX_CONCURRENT: '3' } });
    const accounts = await Promise.all(Array.from({ length: 8 }, () => server.account('enterprise')));
    upstream.answer({ text: 'ok', delayMs: 20 });
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => ask(server, accounts[n % 8]!.credential, 'hello')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(200));
    expect(upstream.requests).toHaveLength(64);
    for (const { credential } of accounts) expect((await spentToday(server, credential)).requests).toBe(8);
  });

  it('rejects a request whose key is revoked, or whose account is suspended, while it waits', async () => {
    const { server, upstream } = await startChatServer({ env });
    const account = await server.account('pro');
    const end: Record<string, (keyId: string) => Promise<unknown>> = {
      access_denied: (keyId) =>
        server.send(`/v1/account/keys/${keyId}`, { method: 'DELETE', credential: account.credential }),
      account_suspended: async () =>
        server.send(`/v2/operator/accounts/${account.id}/suspend`, {
          method: 'POST',
          door: 'operator',
          credential: await server.operatorKey(),
        }),
    };
    for (const [code, endIt] of Object.entries(end)) {
      server.clock.advance(10_000);
      const made = await server.send('/v1/account/keys', {
        method: 'POST',
        credential: account.credential,
        body: JSON.stringify({ name: 'a program', scopes: ['ai:chat'] }),
      });
      const { id, key } = made.json().response;
      const asked = upstream.requests.length;
      const ended = Promise.withResolvers<void>();
      upstream.answer({ text: 'At last.', after: ended.promise });
      const first = ask(server, account.credential, 'hello');
      await until(() => upstream.requests.length > asked);
      const second = ask(server, `Bearer ${key}`, 'hello');
      await until(async () => (await queued(server)) === 1);
      await endIt(id);
      ended.resolve();
      await first;
      server.clock.advance(10_000);
      expect((await second).json().error.code).toBe(code);
      expect(upstream.requests).toHaveLength(asked + 1);
    }
  });

  it('lets no request wait when the server stops', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('pro');
    const refused = Promise.withResolvers<void>();
    upstream.answer({ text: 'At last.', after: refused.promise });
    const first = ask(server, credential, 'hello');
    await until(() => upstream.requests.length === 1);
    const waiting = [ask(server, credential, 'hello'), askForStream(server, credential, 'hello')];
    await until(async () => (await queued(server)) === 2);
    const stopped = server.running.stop();
    for (const { status, headers } of await Promise.all(waiting))
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    refused.resolve();
    expect((await first).status).toBe(200);
    await stopped;
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('requests without CUBBY_AI_QUEUE_MS', () => {
  const inForm = (server: TestServer, credential: string, path: string, body: object) =>
    server.send(path, { method: 'POST', credential, body: JSON.stringify(body) });

  it.each([
    ['/v2/ai/responses', { input: 'hello' }],
    ['/v2/ai/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }],
  ])('wait for their turn at %s', async (path, body) => {
    const { server } = await startChatServer();
    const { credential } = await server.account('pro');
    expect((await inForm(server, credential, path, body)).status).toBe(200);
    // Chat completions are rejected at once, also while another form waits.
    expect((await ask(server, credential, 'hello')).json().error.code).toBe('rate_limit_exceeded');
    const second = inForm(server, credential, path, body);
    await until(async () => (await queued(server)) === 1);
    expect((await ask(server, credential, 'hello')).json().error.code).toBe('rate_limit_exceeded');
    server.clock.advance(2000);
    expect((await second).status).toBe(200);
  });

  it('wait in every form with CUBBY_AI=open', async () => {
    const { server } = await startChatServer({ env: { CUBBY_AI: 'open' } });
    const { credential } = await server.account('pro');
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    const second = ask(server, credential, 'hello');
    await until(async () => (await queued(server)) === 1);
    server.clock.advance(2000);
    expect((await second).status).toBe(200);
  });
});
