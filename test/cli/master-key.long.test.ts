import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { cubbyHere, temporaryFolder, type Cubby } from '#test/cli/cubby.ts';
import { ownKey, reloadKeysEveryMs } from '#test/support/rotation.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { TestClock } from '#test/support/clock.ts';

/** Commands use the clock of the machine, so the server does too. */
const clock = new (class extends TestClock {
  override now(): number {
    return Date.now();
  }
})();

async function started(env: Readonly<Record<string, string>> = {}): Promise<{ server: TestServer; cubby: Cubby }> {
  const server = await startTestServer({ clock, env, reloadKeysEveryMs });
  return { server, cubby: cubbyHere(server.dataDir, env) };
}

const listed = (server: TestServer, credential: string) =>
  server.send('/v1/objects', { credential }).then(({ status }) => status);

const rotate = ['master-key', 'rotate', '--wait', '1'] as const;

describe('master-key rotate', () => {
  it('says what is in force, until when, and how many keys have not been used since', async () => {
    const { server, cubby } = await started();
    const [used, unused] = [await server.account(), await server.account()];
    expect(await cubby.json('master-key', 'status')).toEqual({ number: 1, state: 'over' });
    const report = await cubby.json(...rotate, '--grace', '12h');
    expect(report).toMatchObject({ number: 2, former_api_keys: 2, former_operator_keys: 0, ended_at: null });
    expect(Date.parse(report.grace_until) - Date.parse(report.in_force_at)).toBe(12 * 3_600_000);
    await expect.poll(() => server.running.app.stores.secrets.keyNumber).toBe(2);
    expect(await listed(server, used.credential)).toBe(200);
    await expect.poll(async () => (await cubby.json('master-key', 'status')).former_api_keys).toBe(1);
    const status = await cubby.json('master-key', 'status');
    expect(status).toMatchObject({ state: 'grace', number: 2, former_api_keys: 1 });
    expect(status.keys).toEqual([expect.objectContaining({ key_id: unused.keyId, account_id: unused.id })]);
    expect((await cubby('master-key', 'status')).stdout).toContain(unused.keyId);
    expect((await cubby('audit', 'export')).stdout).toContain('"master_key.rotated"');
  });

  it('is refused while the last rotation is in its grace period, which finish ends', async () => {
    const { server, cubby } = await started();
    const { credential } = await server.account();
    await cubby.json(...rotate);
    expect(await cubby(...rotate)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/is in its grace period until .* "cubby master-key finish"/),
    });
    expect(await cubby('master-key', 'finish')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nothing was changed\. 1 API keys .* give --end-keys/),
    });
    expect(await cubby.json('master-key', 'finish', '--end-keys')).toEqual({ number: 2, ended: true, ended_keys: 1 });
    await expect.poll(() => server.running.app.stores.secrets.finders().length).toBe(1);
    expect(await listed(server, credential)).toBe(401);
    expect(await cubby('master-key', 'finish')).toMatchObject({ code: 1 });
    expect(await cubby.json(...rotate)).toMatchObject({ number: 3 });
  });

  it('takes the new key of an operator from a file, and says what to change', async () => {
    const env = { CUBBY_MASTER_KEY: ownKey() };
    const { server, cubby } = await started(env);
    const { credential } = await server.account();
    const file = join(await temporaryFolder(), 'key');
    await writeFile(file, 'too short');
    expect(await cubby(...rotate, '--new-key-file', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has 9 characters'),
    });
    await writeFile(file, `${ownKey()}\n`);
    const { code, stdout, stderr } = await cubby(...rotate, '--new-key-file', file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Put the new key into CUBBY_MASTER_KEY for every server and command');
    expect(stdout + JSON.stringify(server.log)).not.toContain((await readFile(file, 'utf8')).trim());
    expect(await listed(server, credential)).toBe(200);
    expect(await cubby('config', 'check'), 'the former key still starts').toMatchObject({ code: 0 });
  });
});

describe('backup --with-master-key', () => {
  it('keeps the key of each generation, so that one from before a rotation can be restored', async () => {
    const { server, cubby } = await started();
    const { credential } = await server.account();
    const target = join(await temporaryFolder(), 'backup');
    const { generation } = await cubby.json('backup', target, '--with-master-key');
    const former = await readFile(join(server.dataDir, 'master.key'), 'utf8');
    await cubby.json(...rotate);
    await cubby.json('backup', target, '--with-master-key');
    const current = await readFile(join(server.dataDir, 'master.key'), 'utf8');
    for (const [args, key] of [
      [['--generation', generation], former],
      [[], current],
    ] as const) {
      const dataDir = join(await temporaryFolder(), 'data');
      expect(await cubbyHere(dataDir).json('restore', target, ...args)).toMatchObject({ master_key: 'restored' });
      expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(key);
      const restored = await startTestServer({ dataDir, clock, ownStores: true });
      expect(await listed(restored, credential)).toBe(200);
      await restored.stop();
      await rm(dataDir, { recursive: true });
    }
  });
});
