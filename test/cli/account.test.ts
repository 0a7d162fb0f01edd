import { describe, expect, it } from 'vitest';

import { credentialKind } from '#server/domain/access/credential.ts';
import { cubbyHere, cubbyOver, temporaryFolder } from './cubby.ts';

const gibibyte = 2 ** 30;

describe('cubby account', () => {
  it('create makes an account with a key, and list and show print the account', async () => {
    const cubby = cubbyHere(await temporaryFolder());

    const made = await cubbyOver(cubby.dataDir).json('account', 'create', '--name', 'Acme — Büro', '--plan', 'hobby');
    expect(made).toEqual({
      account_id: expect.stringMatching(/^[1-9][0-9]{17}$/),
      name: 'Acme — Büro',
      plan: 'hobby',
      key_id: expect.stringMatching(/^[a-z2-7]{26}$/),
      api_key: expect.any(String),
    });
    expect(credentialKind(made.api_key)).toBe('apiKey');

    const entry = {
      account_id: made.account_id,
      name: 'Acme — Büro',
      plan: 'hobby',
      state: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      quota_bytes: 10 * gibibyte,
      own_quota_bytes: null,
      own_ai_budget: null,
      own_ai_limits: null,
      used_bytes: 0,
      used_objects: 0,
      suspended_at: null,
      deleted_at: null,
      removed_from: null,
    };
    expect(await cubby.json('account', 'list')).toEqual([entry]);
    expect(await cubby.json('account', 'show', made.account_id)).toEqual({ ...entry, live_keys: 1 });

    const listed = await cubby('account', 'list');
    expect(listed.stdout).toMatch(/^ACCOUNT +PLAN +STATE +STORES +NAME\n/);
    expect(listed.stdout).toContain(`${made.account_id}  hobby  active  0 files, 0 bytes of 10 GiB  Acme — Büro\n`);
    expect((await cubby('account', 'show', made.account_id)).stdout).toMatch(/ {2}live keys {2}1 /);
  });

  it('create without --json shows the key once, says so, and gives a line to paste', async () => {
    const cubby = cubbyHere(await temporaryFolder(), { CUBBY_BASE_URL: 'https://files.example.com' });
    const { code, stdout, stderr } = await cubby('account', 'create', '--name', 'People', '--plan', 'none');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/ {2}api key {2}cbk_[0-9A-Za-z]{46}\n/);
    expect(stdout).toContain('shown only once');
    expect(stdout).toMatch(/curl -H "Authorization: cbk_\w{46}" "https:\/\/files\.example\.com\/v1\/objects"/);
  });

  it('set-plan and set-quota change the plan and the quota', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    const { account_id: id } = await cubby.json('account', 'create', '--name', 'a', '--plan', 'none');

    expect(await cubby.json('account', 'set-plan', id, 'enterprise')).toMatchObject({
      account_id: id,
      plan: 'enterprise',
      quota_bytes: 500 * gibibyte,
    });
    expect(await cubby.json('account', 'set-quota', id, '0')).toMatchObject({ quota_bytes: 0, own_quota_bytes: 0 });
    // The largest number that both the database and JavaScript hold exactly. With one more, the account could not be
    // read.
    expect(await cubby.json('account', 'set-quota', id, '9007199254740991')).toMatchObject({
      own_quota_bytes: 9_007_199_254_740_991,
    });
    expect(await cubby.json('account', 'show', id)).toMatchObject({ own_quota_bytes: 9_007_199_254_740_991 });
    expect(await cubby.json('account', 'set-quota', id, 'none')).toMatchObject({
      quota_bytes: 500 * gibibyte,
      own_quota_bytes: null,
    });
    expect((await cubby('account', 'set-plan', id, 'pro')).stdout).toBe(
      `Account ${id} is on the plan pro now. It stores 0 files, 0 bytes of 400 GiB.\n`,
    );
  });

  it('set-ai-budget gives a budget of its own to an account on Enterprise only', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    const { account_id: id } = await cubby.json('account', 'create', '--name', 'a', '--plan', 'enterprise');

    expect(await cubby.json('account', 'set-ai-budget', id, '20000000')).toMatchObject({
      account_id: id,
      own_ai_budget: 20_000_000,
    });
    expect((await cubby('account', 'show', id)).stdout).toMatch(/ {2}AI budget {2}its own, 20000000 tokens a day\n/);
    await cubby.json('account', 'set-plan', id, 'pro');
    expect((await cubby('account', 'show', id)).stdout).toMatch(/tokens a day \(applies on enterprise only\)\n/);
    expect(await cubby('account', 'set-ai-budget', id, '5')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: Account ${id} is not on the plan enterprise, the only one with its own AI budget. Change the plan ` +
        `first: "cubby account set-plan".\n`,
    });
    expect((await cubby('account', 'set-ai-budget', id, 'none')).stdout).toBe(
      `Account ${id} has the AI budget of its plan now.\n`,
    );
    expect(await cubby.json('account', 'show', id)).toMatchObject({ own_ai_budget: null });
  });

  it('set-ai-limits gives limits of its own to an account, and restores those of the plan', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    const { account_id: id } = await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
    const set = (...args: string[]) => cubby('account', 'set-ai-limits', id, ...args);

    expect((await set('--context-tokens', '200000', '--pacing-seconds', '0')).stdout).toBe(
      `Account ${id} has AI limits of its own: context_tokens 200000, pacing_seconds 0 now.\n`,
    );
    expect(
      await cubby.json('account', 'set-ai-limits', id, '--context-tokens', 'none', '--tools', '256'),
    ).toMatchObject({
      own_ai_limits: { tools: 256, pacing_seconds: 0 },
    });
    expect((await cubby('account', 'show', id)).stdout).toMatch(
      / {2}AI limits {2}its own, tools 256, pacing_seconds 0\n/,
    );
    expect((await set('--cost-per-day', '0.05')).stdout).toBe(
      `Account ${id} has AI limits of its own: tools 256, pacing_seconds 0, cost_per_day 0.05 now.\n`,
    );
    expect((await set('--cost-per-day', '0')).stderr).toContain('It is a number from 0.000001 to 1000000, or "none"');
    expect((await set('--none')).stdout).toBe(`Account ${id} has the AI limits of its plan now.\n`);
    expect(await cubby.json('account', 'show', id)).toMatchObject({ own_ai_limits: null });
    expect(await set()).toMatchObject({ code: 1, stderr: expect.stringContaining('Give at least one limit') });
  });

  it('exits with 1 and a message on stderr for an account that does not exist', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    expect(await cubby('account', 'list')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`no Cubby database in ${cubby.dataDir}`),
    });

    await cubby.json('migrate');
    expect(await cubby.json('account', 'list')).toEqual([]);
    expect((await cubby('account', 'list')).stdout).toContain('There are no accounts.');

    const stranger = '123456789012345678';
    const commands = [
      ['show', stranger],
      ['set-plan', stranger, 'pro'],
      ['set-quota', stranger, '1'],
      ['set-ai-budget', stranger, '1'],
      ['set-ai-limits', stranger, '--tools', '1'],
      ['show', stranger, '--json'],
    ];
    for (const outcome of await Promise.all(commands.map((args) => cubby('account', ...args)))) {
      expect(outcome).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: There is no account ${stranger}. "cubby account list" shows all of them.\n`,
      });
    }
  });
});
