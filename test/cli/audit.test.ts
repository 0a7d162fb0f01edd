import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';

import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { startTestServer } from '#test/support/server.ts';
import { restored } from './backup/restored.ts';
import { actionsOf } from './audited-actions.ts';
import { cubbyHere, temporaryFolder } from './cubby.ts';

/** The name of the user that runs the tests; null for one without an entry in /etc/passwd. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

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
      actor: { kind: 'command_line', id: userName(), address: null },
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

describe('the audit log', () => {
  it('has an entry of each command that changes something', async () => {
    const server = await startTestServer({ ownStores: true });
    const account = await server.account();
    const { dataDir } = server;
    const cubby = cubbyHere(dataDir);
    const folder = await temporaryFolder();
    const [files, target] = [join(folder, 'files'), join(folder, 'backup')];
    await mkdir(files);
    await writeFile(join(files, 'old.txt'), 'an old file');
    const { id: app } = await cubby.json('app', 'create', '--account', account.id, '--name', 'shop');
    await cubby.json('legacy', 'import', '--account', account.id, files);
    await cubby.json('store', 'check', '--repair');
    const { generation } = await cubby.json('backup', target);
    expect((await actionsOf(cubby)).slice(-4)).toEqual([
      ['app.created', account.id, app],
      ['legacy.imported', account.id, account.id],
      ['store.repaired', null, null],
      ['backup.started', null, target],
    ]);

    const back = await restored(target, dataDir);
    const again = cubbyHere(back.dataDir);
    expect((await actionsOf(again)).at(-1)).toEqual(['store.restored', null, generation]);
    expect(await again.json('audit', 'verify')).toMatchObject({ ok: true });
  });

  it('has the move of a store, in the store that it goes to', async () => {
    const server = await startTestServer({ ownStores: true });
    const { dataDir } = server;
    await server.running.stop();
    const to = join(await temporaryFolder(), 'moved');
    await cubbyHere(dataDir).json('store', 'migrate', '--to', `file:${to}`);
    const moved = cubbyHere(to);
    expect((await actionsOf(moved)).at(-1)).toEqual(['store.move_started', null, null]);
    expect(await moved.json('audit', 'verify')).toMatchObject({ ok: true });
  });
});
