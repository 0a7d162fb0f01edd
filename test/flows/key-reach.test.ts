import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Scope } from '#server/domain/access/scope.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
});
// An account has at most ten keys.
beforeEach(async () => {
  account = await server.account();
});
afterAll(() => server.stop());

const send = (method: string, path: string, credential: string, body?: unknown) =>
  server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });

const keyWith = (...scopes: Scope[]) => server.key(account, { scopes });

const address = 'https://hooks.example.com:8443/services/T0/secret?token=abc';

async function newWebhook(): Promise<string> {
  return (await send('POST', '/v1/webhooks', account.credential, { url: address })).json().response.id;
}

describe('a key that may write and not read', () => {
  it.each([
    ['makes no webhook', 'POST', '', { url: address }],
    ['leads no webhook elsewhere', 'PATCH', '/{id}', { url: 'https://other.example.com/' }],
    ['replays nothing', 'POST', '/{id}/replay', { from: '2026-04-21T00:00:00Z' }],
  ])('%s', async (_, method, path, body) => {
    const at = `/v1/webhooks${path.replace('{id}', await newWebhook())}`;
    for (const scope of ['blob:write', 'blob:read'] as const) {
      const refused = (await send(method, at, await keyWith(scope), body)).json();
      expect(refused).toMatchObject({ code: 'MISSING_SCOPE' });
      expect(refused.message).toContain('It needs blob:write and blob:read.');
    }
    expect((await send(method, at, await keyWith('blob:read', 'blob:write'), body)).status).toBeLessThan(300);
  });
});

describe('a key that may read and not write', () => {
  it('sees of a webhook only where it leads', async () => {
    const id = await newWebhook();
    const urls = async (credential: string) => {
      const { webhooks } = (await send('GET', '/v1/webhooks', credential)).json().response;
      const one = (await send('GET', `/v1/webhooks/${id}`, credential)).json().response;
      return [webhooks.find((webhook: { id: string }) => webhook.id === id).url, one.url];
    };
    const short = 'https://hooks.example.com:8443/…';
    expect(await urls(await keyWith('blob:read'))).toEqual([short, short]);
    expect(await urls(await keyWith('blob:write'))).toEqual([address, address]);
  });
});

describe('a key that ends', () => {
  const dayMs = 86_400_000;
  const endOf = (key: { readonly expires_at: string | null }) =>
    key.expires_at === null ? null : Date.parse(key.expires_at) - server.clock.now();

  it.each([
    ['for good', {}, dayMs],
    ['for longer', { expires_in: '90d' }, dayMs],
    ['for a shorter time', { expires_in: '6h' }, dayMs / 4],
  ])('makes no key that outlives it, when it asks for one %s', async (_, wish, lifetimeMs) => {
    const ending = await server.key(account, { scopes: ['*'], lifetimeMs: dayMs });
    const made = await send('POST', '/v1/account/keys', ending, { name: 'made', scopes: ['blob:read'], ...wish });
    expect(endOf(made.json().response)).toBe(lifetimeMs);
    await send('DELETE', `/v1/account/keys/${made.json().response.id}`, account.credential);
  });

  it('gets no lasting secret of another key, and its own keeps its end', async () => {
    const ending = await server.key(account, { scopes: ['*'], lifetimeMs: dayMs });
    const lasting = (
      await send('POST', '/v1/account/keys', account.credential, { name: 'a', scopes: ['blob:read'] })
    ).json().response;
    expect(endOf(lasting)).toBeNull();
    const regenerated = await send('POST', `/v1/account/keys/${lasting.id}/regenerate`, ending);
    expect(endOf(regenerated.json().response)).toBe(dayMs);
    const { keys } = (await send('GET', '/v1/account/keys', account.credential)).json().response;
    expect(endOf(keys.find(({ id }: { id: string }) => id === lasting.id))).toBe(dayMs);
  });
});
