import { afterAll, beforeAll, expect, it } from 'vitest';

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
