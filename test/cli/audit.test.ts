import { userInfo } from 'node:os';

import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { cubbyHere, temporaryFolder } from './cubby.ts';

describe('cubby audit', () => {
  it('export prints what commands did, one JSON value a line', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    const { account_id: id, key_id: keyId } = await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
    await cubby.json('app', 'create', '--account', id, '--name', 'shop');
    await cubby.json('key', 'revoke', keyId);

    const { code, stdout, stderr } = await cubby('audit', 'export');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.map(({ action, account_id }) => [action, account_id])).toEqual([
      ['key.created', id],
      ['account.created', id],
      ['app.created', id],
      ['key.revoked', id],
    ]);
    expect(entries[1]).toEqual({
      sequence: 2,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      action: 'account.created',
      actor: { kind: 'command_line', id: userInfo().username, address: null },
      account_id: id,
      subject: id,
      details: { name: 'a', plan: 'pro' },
      previous_hash: entries[0].hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(stdout).not.toMatch(/cbk_/);
  });

  it('export --since leaves out what happened before', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
    expect((await cubby('audit', 'export', '--since', '2020-01-01')).stdout.split('\n')).toHaveLength(3);
    expect((await cubby('audit', 'export', '--since', '2999-01-01T00:00:00Z')).stdout).toBe('');
    expect((await cubby('audit', 'export', '--since', 'yesterday')).code).toBe(2);
  });

  it('verify ends with 0 for a log that nobody touched, and with 1 for another', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
    const verdict = await cubby.json('audit', 'verify');
    expect(verdict).toMatchObject({ ok: true, entries: 2, problems: [] });
    const end = `${verdict.head.sequence}:${verdict.head.hash}`;
    expect((await cubby('audit', 'verify')).stdout).toContain(`--expect ${end}`);
    expect((await cubby('audit', 'verify', '--expect', end)).code).toBe(0);

    const db = new DatabaseSync(join(cubby.dataDir, 'cubby.db'));
    db.exec("UPDATE audit_log SET details = '{}' WHERE sequence = 1");
    db.close();
    const { code, stdout, stderr } = await cubby('audit', 'verify', '--json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: The audit log is not as it was written.\n' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: ['Entry 1 was changed.'] });
    expect((await cubby('audit', 'verify', '--expect', 'x')).code).toBe(2);
  });
});
