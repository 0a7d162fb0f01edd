import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { credentialKind } from '#server/domain/access/credential.ts';
import { cubbyHere, cubbyOver, temporaryFolder, type Cubby } from './cubby.ts';

async function withAccount(
  cubby: Cubby,
): Promise<{ readonly cubby: Cubby; readonly id: string; readonly keyId: string }> {
  const made = await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
  return { cubby, id: made.account_id, keyId: made.key_id };
}

describe('cubby key', () => {
  it('create makes a key with all given options, and list shows it without its secret', async () => {
    const { cubby, id, keyId } = await withAccount(cubbyHere(await temporaryFolder()));

    const startedAt = Date.now();
    const wishes = [
      '--scopes',
      'blob:read, blob:write,blob:read',
      '--prefixes',
      'invoices/2026/,contracts',
      '--expires-in',
      '90d',
    ];
    const made = await cubbyOver(cubby.dataDir).json('key', 'create', '--account', id, '--name', 'Website', ...wishes);
    expect(made).toEqual({
      key_id: expect.stringMatching(/^[a-z2-7]{26}$/),
      api_key: expect.any(String),
      scopes: ['blob:read', 'blob:write'],
    });
    expect(credentialKind(made.api_key)).toBe('apiKey');

    const apps = await cubby.json(
      'key',
      'create',
      '--account',
      id,
      '--name',
      'Deploys',
      '--scopes',
      'apps:read',
      '--resources',
      'app_1,app_2',
    );
    const keys = await cubby.json('key', 'list', '--account', id);
    expect(keys.map((key: { key_id: string }) => key.key_id)).toEqual([keyId, made.key_id, apps.key_id]);
    expect(keys[1]).toEqual({
      key_id: made.key_id,
      name: 'Website',
      state: 'live',
      scopes: ['blob:read', 'blob:write'],
      resources: null,
      prefixes: ['invoices/2026', 'contracts'],
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: expect.any(String),
      revoked_at: null,
      last4: made.api_key.slice(-4),
    });
    const lifetimeMs = Date.parse(keys[1].expires_at) - startedAt;
    expect(lifetimeMs).toBeGreaterThanOrEqual(90 * 86_400_000);
    expect(lifetimeMs).toBeLessThan(90 * 86_400_000 + 60_000);
    expect(keys[2]).toMatchObject({ resources: ['app_1', 'app_2'], prefixes: null, expires_at: null });

    const { stdout } = await cubby('key', 'list', '--account', id);
    expect(stdout).not.toContain(made.api_key);
    expect(stdout).toContain(`…${made.api_key.slice(-4)}`);
    expect(stdout).toContain('invoices/2026/,contracts/');
  });

  it('revoke ends a key, and prints the first time when it is called again', async () => {
    const { cubby, id, keyId } = await withAccount(cubbyHere(await temporaryFolder()));
    const revoked = await cubby.json('key', 'revoke', keyId);
    expect(revoked).toEqual({ key_id: keyId, account_id: id, name: 'full access', revoked_at: expect.any(String) });
    expect(await cubby.json('key', 'revoke', keyId)).toEqual(revoked);
    expect((await cubby('key', 'revoke', keyId)).stdout).toContain(`was already revoked at ${revoked.revoked_at}`);
    expect(await cubby.json('key', 'list', '--account', id)).toMatchObject([{ key_id: keyId, state: 'revoked' }]);
    expect(await cubby.json('account', 'show', id)).toMatchObject({ live_keys: 0 });
  });

  it('prints the messages of refusals of the domain', async () => {
    const { cubby, id } = await withAccount(cubbyHere(await temporaryFolder()));
    const create = (...args: string[]) => cubby('key', 'create', '--account', id, '--name', 'k', ...args);
    const conflict = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: resources cannot be combined .* prefixes cannot be combined with "\*"\. Leave one of them out\.\n$/,
      ),
    };
    const outcomes = await Promise.all([
      create('--scopes', '*', '--resources', 'app_1'),
      create('--scopes', 'blob:read,apps:read', '--resources', 'app_1', '--json'),
      create('--scopes', '*', '--prefixes', 'invoices'),
      cubby('key', 'revoke', 'nosuchkey'),
      cubby('key', 'create', '--account', '123456789012345678', '--name', 'k', '--scopes', '*'),
      cubby('key', 'list', '--account', '123456789012345678'),
    ]);
    expect(outcomes.slice(0, 3)).toEqual([conflict, conflict, conflict]);
    expect(outcomes[3]).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: No key has that id. List the keys to see those that there are.\n',
    });
    for (const outcome of outcomes.slice(4))
      expect(outcome).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no account 123456789012345678'),
      });
    expect(await cubby.json('key', 'list', '--account', id)).toHaveLength(1);
  });

  it('does not repeat a secret that was given in place of an id', async () => {
    const { cubby } = await withAccount(cubbyHere(await temporaryFolder()));
    const outcome = await cubby('key', 'revoke', 'cbk_something');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).not.toContain('cbk_something');
  });

  it('import-legacy imports a key once, and rejects a file without a legacy key', async () => {
    const folder = await temporaryFolder();
    const { cubby, id } = await withAccount(cubbyHere(folder));
    const file = join(folder, 'old-key');
    await writeFile(file, 'OLD-0123456789abcdef\n');
    const first = ['key', 'import-legacy', '--account', id, '--file', file, '--name', 'Camera'];
    const made = await cubbyOver(folder).json(...first);
    expect(made).toEqual({ key_id: expect.any(String), account_id: id, name: 'Camera', imported: true });
    expect(await cubby.json('key', 'import-legacy', '--account', id, '--file', file)).toEqual({
      ...made,
      imported: false,
    });
    await writeFile(file, 'short');
    const { code, stderr } = await cubby('key', 'import-legacy', '--account', id, '--file', file);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/does not hold a legacy key/)]);
    expect(stderr).not.toMatch(/OLD-/);
  });

  it('set-ai-limits removes any limit with "none", and leaves the others', async () => {
    const { cubby, id, keyId } = await withAccount(cubbyHere(await temporaryFolder()));
    const limits = [
      ['requests-per-minute', '7', { requests_per_minute: 7 }],
      ['requests-per-day', '70', { requests_per_day: 70 }],
      ['tokens-per-day', '700', { tokens_per_day: 700 }],
      ['spend-per-day', '7000', { spend_per_day: 7000 }],
      ['cost-per-day', '2.50', { cost_per_day: 2.5 }],
      ['models', 'cubic,other', { models: ['cubic', 'other'] }],
    ] as const;
    const set = (...given: ReadonlyArray<readonly [name: string, value: string]>) =>
      cubby.json('key', 'set-ai-limits', keyId, ...given.flatMap(([name, value]) => [`--ai-${name}`, value]));
    const wire = (left: ReadonlyArray<(typeof limits)[number]>) =>
      Object.assign({}, ...left.map(([, , field]) => field)) as object;

    expect((await set(...limits.map(([name, value]) => [name, value] as const))).ai).toEqual(wire(limits));
    for (const [at, [name]] of limits.entries()) {
      const left = limits.slice(at + 1);
      expect((await set([name, 'none'])).ai, name).toEqual(left.length === 0 ? undefined : wire(left));
    }
    expect((await cubby.json('key', 'list', '--account', id))[0].ai).toBeUndefined();
    for (const cost of ['0', '1e3', '1000001', '0.0000000001', '5 USD'])
      expect(await cubby('key', 'set-ai-limits', keyId, '--ai-cost-per-day', cost)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('A cost is a number from 0.000001 to 1000000 with at most 9 decimals.'),
      });
  });
});
