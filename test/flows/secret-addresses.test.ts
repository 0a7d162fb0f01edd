import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { MakeSecret } from '#test/support/addresses.ts';
import { upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { shareFile } from '#test/support/shares.ts';

const allowPrivate = { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' };

/** Whether a text is in any file of the data folder: the database, its log and what else is there. */
function isHeld(dataDir: string, text: string): boolean {
  return readdirSync(dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'disk-reserve')
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text));
}

const json = async (server: TestServer, { credential }: TestAccount, method: string, path: string, body?: object) => {
  const answer = await server.send(path, { method, credential, ...(body && { body: JSON.stringify(body) }) });
  expect(answer.status, answer.body.toString()).toBeLessThan(300);
  return answer.json().response;
};

const ofFeatures = await partsOfFeatures('addresses');

describe('an address that holds a secret', () => {
  let server: TestServer;
  let account: TestAccount;
  beforeAll(async () => {
    server = await startTestServer({ ownStores: true, env: allowPrivate });
    account = await server.account();
  });
  afterAll(() => server.stop());

  const table: Readonly<Record<string, MakeSecret>> = {
    async 'of a webhook'() {
      const hook = await startHookServer();
      hook.answer = (res) => res.writeHead(500).end();
      const secret = 'hook-secret-T0AAAA/B0BBBB';
      const { id } = await json(server, account, 'POST', '/v1/webhooks', {
        url: `http://127.0.0.1:${hook.port}/${secret}?token=hook-token-T0`,
      });
      // A delivery that fails, and the words about it.
      await upload(server, account, { query: { name: 'sent' } });
      await expect.poll(async () => (await json(server, account, 'GET', `/v1/webhooks/${id}`)).last_error).toBeTruthy();
      expect(isHeld(server.dataDir, 'hook-token-T0')).toBe(false);
      return [secret, async () => (await json(server, account, 'GET', `/v1/webhooks/${id}`)).url];
    },
    async 'of a webhook that was changed'() {
      const [former, secret] = ['hook-former-T1', 'hook-changed-T1'];
      const { id } = await json(server, account, 'POST', '/v1/webhooks', { url: `http://127.0.0.1:1/${former}` });
      await json(server, account, 'PATCH', `/v1/webhooks/${id}`, { url: `http://127.0.0.1:1/${secret}` });
      await json(server, account, 'POST', `/v1/webhooks/${id}/rotate`);
      expect(isHeld(server.dataDir, former)).toBe(false);
      return [secret, async () => (await json(server, account, 'GET', `/v1/webhooks/${id}`)).url];
    },
    async 'of a webhook that was removed'() {
      const secret = 'hook-removed-T2';
      const { id, url } = await json(server, account, 'POST', '/v1/webhooks', { url: `http://127.0.0.1:1/${secret}` });
      await json(server, account, 'DELETE', `/v1/webhooks/${id}`);
      return [secret, async () => url];
    },
    async 'of a share link'() {
      const { id, url } = await shareFile(server, account);
      return [id, async () => url];
    },
  };

  const all = [table, ...ofFeatures.map(({ secret = {} }) => secret)].flatMap((own) => Object.entries(own));

  it.each(all)('is in no file and no line of the log: %s', async (_, make) => {
    const [secret, show] = await make({ server, account });
    expect(await show()).toContain(secret);
    expect(isHeld(server.dataDir, account.id), 'what is not secret is found').toBe(true);
    expect(isHeld(server.dataDir, secret)).toBe(false);
    expect(server.log.filter((line) => JSON.stringify(line).includes(secret))).toEqual([]);
    for (const path of ['/v1/events?limit=100', '/v1/account/activity?limit=100'])
      expect(JSON.stringify(await json(server, account, 'GET', path))).not.toContain(secret);
  });
});
