import { afterAll, beforeAll, expect, it } from 'vitest';

import { chunking } from '#test/support/chunked.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

it('a restricted key sees only the rules that can apply to its files', async () => {
  const account = await server.account();
  const prefixes = ['docs', 'photos', 'photos-2025', 'photos/2025', 'photos/2025/raw', 'photos/2026'];
  const body = JSON.stringify({ rules: prefixes.map((prefix) => ({ prefix, private: true })) });
  await server.send('/v1/account/settings', { method: 'PUT', credential: account.credential, body });
  const shown = async (credential: string) =>
    (await server.send('/v1/account/settings', { credential }))
      .json()
      .response.rules.map(({ prefix }: { prefix: string }) => prefix);
  const restrictedTo = (...allowed: string[]) => server.key(account, { scopes: ['blob:read'], prefixes: allowed });
  expect(await shown(account.credential)).toHaveLength(6);
  expect(await shown(await restrictedTo('photos/2025'))).toEqual(['photos/', 'photos/2025/', 'photos/2025/raw/']);
  expect(await shown(await restrictedTo('photos-2025', 'docs/a'))).toEqual(['docs/', 'photos-2025/']);
  expect(await shown(await restrictedTo('photo'))).toEqual([]);
});

it('expire=never keeps a file in a folder whose rule has an expiry, in one request and in parts', async () => {
  const account = await server.account('enterprise');
  const body = JSON.stringify({ rules: [{ prefix: 'drafts', expire: '30d' }] });
  await server.send('/v1/account/settings', { method: 'PUT', credential: account.credential, body });
  const stored = async (query: Record<string, string>) =>
    (await upload(server, account, { query: { prefix: 'drafts', ...query } })).json().response;
  expect(await stored({})).toMatchObject({ id: `pub/${account.id}/drafts/photo-ex30.png` });
  const kept = await stored({ expire: 'never' });
  expect(kept.id).toBe(`pub/${account.id}/drafts/photo.png`);
  expect(kept).not.toHaveProperty('expires_at');
  const started = (
    await chunking(() => server).start(account, { name: 'big', prefix: 'drafts', expire: 'never' })
  ).json();
  expect(started.response.id).toBe(`pub/${account.id}/drafts/big.bin`);
  expect(started.response).not.toHaveProperty('expires_at');
});
