import { describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { cubbyHere, cubbyOver, temporaryFolder } from './cubby.ts';

const succeeded = ({ code }: { readonly code: number | null }) => code === 0;

describe('cubby beside a running server', () => {
  it('makes accounts and keys that work at once, and revokes them at once', async () => {
    const server = await startTestServer();
    const [cubby, here] = [cubbyOver(server.dataDir), cubbyHere(server.dataDir)];
    const list = async (credential: string) => (await server.send('/v1/objects', { credential })).status;

    const account = await cubby.json('account', 'create', '--name', 'new', '--plan', 'pro');
    expect(await list(account.api_key)).toBe(200);

    const reader = await here.json(
      'key',
      'create',
      '--account',
      account.account_id,
      '--name',
      'reader',
      '--scopes',
      'blob:read',
    );
    expect(await list(reader.api_key)).toBe(200);
    expect(
      (await upload(server, { id: account.account_id, keyId: reader.key_id, credential: reader.api_key })).json().code,
    ).toBe('MISSING_SCOPE');
    const narrow = await here.json(
      'key',
      'create',
      '--account',
      account.account_id,
      '--name',
      'narrow',
      '--scopes',
      'blob:read',
      '--prefixes',
      'invoices/',
    );
    expect((await server.send('/v1/objects?prefix=contracts/', { credential: narrow.api_key })).json().code).toBe(
      'PREFIX_NOT_ALLOWED',
    );

    await cubby.json('key', 'revoke', reader.key_id);
    expect(await list(reader.api_key)).toBe(401);
    expect(await list(account.api_key)).toBe(200);
  });

  it('changes plan and quota at once', async () => {
    const server = await startTestServer();
    const [cubby, here] = [cubbyOver(server.dataDir), cubbyHere(server.dataDir)];
    const account = await server.account('none');
    const put = async (name = 'logo') => (await upload(server, account, { query: { name } })).json();

    expect(await put()).toMatchObject({ code: 'PERMISSION_DENIED' });
    await cubby.json('account', 'set-plan', account.id, 'hobby');
    expect(await put()).toMatchObject({ status: 'success' });

    await cubby.json('account', 'set-quota', account.id, '4000');
    expect(await put()).toMatchObject({ status: 'success' });
    expect(await put('other')).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    await cubby.json('account', 'set-quota', account.id, '0');
    expect(await put()).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    await here.json('account', 'set-quota', account.id, 'none');
    expect(await put()).toMatchObject({ status: 'success' });

    expect(await here.json('account', 'show', account.id)).toMatchObject({ used_objects: 1, used_bytes: 3000 });
    expect((await here('account', 'set-quota', account.id, '100')).stdout).toContain('It stores more than its quota');
  });

  it('keeps a limit exactly while several commands and the server write at once', async () => {
    const server = await startTestServer();
    const cubby = cubbyOver(server.dataDir);
    const account = await server.account();
    for (let made = 0; made < 7; made++) await server.key(account, { scopes: ['blob:read'] });

    let isDone = false;
    const uploads = (async () => {
      const statuses = new Set<number>();
      while (!isDone) statuses.add((await upload(server, account)).status);
      return statuses;
    })();
    const args = ['key', 'create', '--account', account.id, '--name', 'k', '--scopes', '*'];
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => cubby(...args)));
    isDone = true;
    expect(await uploads).toEqual(new Set([200]));
    expect(outcomes.filter(succeeded)).toHaveLength(2);
    for (const outcome of outcomes.filter((one) => !succeeded(one))) {
      expect(outcome).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: Ten keys are live. Revoke one, then try again.\n',
      });
    }
    expect(await cubbyHere(server.dataDir).json('key', 'list', '--account', account.id)).toHaveLength(10);
  });

  it('lets several commands make one new data folder, which a server can then use', async () => {
    const cubby = cubbyOver(await temporaryFolder());
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => cubby.json('account', 'create', '--name', name, '--plan', 'hobby')),
    );
    const listed = await cubbyHere(cubby.dataDir).json('account', 'list');
    expect(listed.map(({ name }: { name: string }) => name).sort()).toEqual(['a', 'b', 'c']);

    const server = await startTestServer({ dataDir: cubby.dataDir });
    for (const { api_key: credential } of made)
      expect((await server.send('/v1/objects', { credential })).status).toBe(200);
  });
});
