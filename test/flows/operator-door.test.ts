import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import { revokeOperatorKey } from '#server/domain/operator/revoke-operator-key.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

/** Those with a credential: a sign-in has its key in the body. */
const operations = Object.values(policies).filter(({ credentials }) =>
  (credentials as readonly string[]).includes('operatorKey'),
);
const pathOf = (path: string) => path.replace('{account_id}', '204815162342108999').replace(/\{[^}]+\}/, 'reap-blobs');

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

describe("the operator's door", () => {
  it.each(operations.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    '%s %s is at no other door, and opens to operator keys alone',
    async (method, path) => {
      const operator = await server.operatorKey();
      for (const door of ['api', 'files', 'public'] as const) {
        const { status } = await server.send(pathOf(path), { method, door, credential: operator });
        // The public host knows no methods but those of files.
        expect([door, status]).toEqual([door, door === 'public' && method !== 'GET' ? 405 : 404]);
      }
      const account = await server.account();
      const token = await uploadToken(account.credential);
      for (const credential of [undefined, account.credential, token, 'cbo_made-up', `${operator}x`]) {
        const request = { method, door: 'operator', ...(credential && { credential }) } as const;
        expect((await server.send(pathOf(path), request)).status).toBe(401);
      }
    },
  );

  it('refuses operator keys at the other doors', async () => {
    const credential = await server.operatorKey();
    for (const path of ['/v1/objects', '/v1/account/keys', '/v2/ai/models']) {
      expect((await server.send(path, { credential })).status).toBe(401);
    }
  });

  it('refuses revoked and expired keys', async () => {
    const { stores } = server.running.app;
    const ask = (credential: string) =>
      server.send('/v2/operator/installation', { door: 'operator', credential }).then(({ status }) => status);
    const short = await createOperatorKey(stores, { name: 'short', lifetimeMs: 3_600_000, by: serverActor });
    const ended = await createOperatorKey(stores, { name: 'ended', by: serverActor });
    expect([await ask(short.credential), await ask(`Bearer ${ended.credential}`)]).toEqual([200, 200]);
    await revokeOperatorKey(stores, ended.key.id, serverActor);
    server.clock.advance(3_600_000);
    expect([await ask(short.credential), await ask(ended.credential)]).toEqual([401, 401]);
  });

  it('stores no secret of a key, and notes when it was used', async () => {
    const { stores } = server.running.app;
    const { key, credential } = await createOperatorKey(stores, { name: 'used', by: serverActor });
    await server.send('/v2/operator/jobs', { door: 'operator', credential });
    const found = () => stores.metadata.read.operatorKeys.find(key.id);
    await expect.poll(async () => (await found())?.lastUsedAt).toBe(server.clock.now());
    expect(JSON.stringify(await found())).not.toContain(credential.slice(4, 40));
    expect(JSON.stringify(server.log)).not.toContain(credential.slice(4, 40));
    expect(server.log).toContainEqual(expect.objectContaining({ door: 'operator', operator_key: key.id }));
  });

  it('has health and metrics without a key, and the API has only health', async () => {
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect([path, (await server.send(path, { door: 'operator' })).status]).toEqual([path, 200]);
    for (const path of ['/livez', '/readyz']) expect([path, (await server.send(path)).status]).toEqual([path, 200]);
    expect((await server.send('/metrics')).json()).toMatchObject({ code: 'NOT_FOUND' });
    const open = await startTestServer({ env: { CUBBY_PUBLIC_METRICS: 'on' } });
    expect((await open.send('/metrics')).status).toBe(200);
  });

  it('lets no page of another origin read anything', async () => {
    const headers = { Origin: 'https://evil.example' };
    const answer = await server.send('/metrics', { door: 'operator', headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

async function uploadToken(credential: string): Promise<string> {
  const answer = await server.send('/v1/upload-tokens', { method: 'POST', credential, body: '{}' });
  return answer.json().response.token;
}
