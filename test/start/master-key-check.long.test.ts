import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { noUseExitCode } from '#server/check-node.js';
import { cubbyHere, type Cubby } from '#test/cli/cubby.ts';
import { startTestServer } from '#test/support/server.ts';
import { failToStart, temporaryFolder } from './program.ts';

const otherKey = 'another master key, of 32 characters or more';
const keyFile = (dataDir: string) => join(dataDir, 'master.key');

interface Used {
  readonly dataDir: string;
  readonly credential: string;
  readonly cubby: Cubby;
}

/** Returns a data folder after a run of the server with the key in its file. */
async function usedFolder(): Promise<Used> {
  const dataDir = await temporaryFolder();
  const server = await startTestServer({ dataDir });
  const { credential } = await server.account();
  await server.stop();
  return { dataDir, credential, cubby: cubbyHere(dataDir) };
}

describe('a master key that differs from the one of the database', () => {
  it('keeps the server from starting, with one line that names the file', async () => {
    const { dataDir } = await usedFolder();
    await writeFile(keyFile(dataDir), 'f'.repeat(64), { mode: 0o600 });
    const { code, stderr, stdout } = await failToStart({ dataDir });
    expect({ code, stdout }).toEqual({ code: noUseExitCode, stdout: '' });
    expect(stderr).toMatch(/^\/.*\/master\.key holds another master key than the one that the database .*\n$/);
    expect(stderr).not.toContain('ffff');
  });

  it('is reported with its variable if it comes from one', async () => {
    const { dataDir } = await usedFolder();
    const file = join(await temporaryFolder(), 'key');
    await writeFile(file, otherKey);
    await expect(startTestServer({ dataDir, env: { CUBBY_MASTER_KEY: otherKey } })).rejects.toThrow(
      /^CUBBY_MASTER_KEY holds another master key/,
    );
    await expect(startTestServer({ dataDir, env: { CUBBY_MASTER_KEY_FILE: file } })).rejects.toThrow(
      /^The file that CUBBY_MASTER_KEY_FILE names holds another master key/,
    );
  });

  it('is a problem for config check, and makes other commands fail', async () => {
    const { dataDir, cubby } = await usedFolder();
    expect(await cubby('config', 'check')).toMatchObject({ code: 0, stdout: expect.stringContaining('No problems.') });
    const wrong = cubbyHere(dataDir, { CUBBY_MASTER_KEY: otherKey });
    const { code, stdout, stderr } = await wrong('config', 'check', '--json');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('CUBBY_MASTER_KEY holds another master key'),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('CUBBY_MASTER_KEY holds another master key')],
    });
    for (const args of [
      ['account', 'list'],
      ['account', 'create', '--name', 'x', '--plan', 'pro'],
      ['migrate'],
      ['jobs', 'run', '--all'],
    ]) {
      expect(await wrong(...args), args.join(' ')).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: CUBBY_MASTER_KEY holds another master key.*\n$/),
      });
    }
  });

  it('is also detected after a restore into a fresh folder, and when the key file is missing', async () => {
    const { dataDir } = await usedFolder();
    const restored = await temporaryFolder();
    await (await startTestServer({ dataDir: restored })).stop();
    await writeFile(join(restored, 'cubby.db'), await readFile(join(dataDir, 'cubby.db')));
    await expect(startTestServer({ dataDir: restored })).rejects.toThrow(/holds another master key/);
    await rm(keyFile(restored));
    await expect(startTestServer({ dataDir: restored })).rejects.toThrow(
      /master\.key is missing.*Restore it from a backup/,
    );
    expect(await cubbyHere(restored)('config', 'check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('master.key is missing'),
    });
    await writeFile(keyFile(restored), await readFile(keyFile(dataDir)), { mode: 0o600 });
    await (await startTestServer({ dataDir: restored })).stop();
  });

  it("is not detected for an earlier version's database, which stores its key's check at the next start", async () => {
    const { dataDir, cubby } = await usedFolder();
    const database = new DatabaseSync(join(dataDir, 'cubby.db'));
    database.exec('DELETE FROM master_key_check');
    database.close();
    expect(await cubby('config', 'check')).toMatchObject({ code: 0 });
    await (await startTestServer({ dataDir })).stop();
    await writeFile(keyFile(dataDir), 'f'.repeat(64), { mode: 0o600 });
    await expect(startTestServer({ dataDir })).rejects.toThrow(/another master key/);
  });

  it('replaces a lost key when the operator accepts it', async () => {
    const { dataDir, credential, cubby } = await usedFolder();
    await writeFile(keyFile(dataDir), 'f'.repeat(64), { mode: 0o600 });
    expect(await cubby('master-key', 'accept')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nothing was changed.*--lost/),
    });
    expect(await cubby.json('master-key', 'accept', '--lost')).toEqual({ accepted: true });
    const server = await startTestServer({ dataDir });
    expect((await server.send('/v1/objects', { credential })).status).toBe(401);
    expect(await cubby('master-key', 'accept', '--lost')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Another Cubby server is running'),
    });
  });
});
