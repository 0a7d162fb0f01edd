import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { finishMasterKeyRotation } from '#server/domain/master-key/finish-rotation.ts';
import { reseals } from '#server/feature-parts.ts';
import type { RotationStep } from '#server/stores/rotate-master-key.ts';
import { temporaryFolder } from '#test/cli/cubby.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { upload } from '#test/support/files.ts';
import { dayMs, ownKey, reloadKeysEveryMs, rotate } from '#test/support/rotation.ts';
import { startTestServer, type TestAccount, type TestServer, type TestServerOptions } from '#test/support/server.ts';
import { shareFile } from '#test/support/shares.ts';

/** These tests are about the key in a data folder of their own. */
const start = (options: TestServerOptions) => startTestServer({ reloadKeysEveryMs, ownStores: true, ...options });

interface Used {
  readonly server: TestServer;
  readonly account: TestAccount;
  /** Returns the statuses of requests that hang on the master key. */
  use(server?: TestServer): Promise<number[]>;
}

async function used(options: TestServerOptions = {}): Promise<Used> {
  const server = await start({ dataDir: await temporaryFolder(), ...options });
  const account = await server.account();
  const file = (await upload(server, account, { query: { private: 'true' } })).json().response.id;
  const query = new URLSearchParams({ object: file, redirect: 'false', expires: '86400' });
  const made = await server.send(`/v1/objects/download?${query}`, { credential: account.credential });
  const link = new URL(made.json().response.url).pathname;
  const share = await shareFile(server, account, {
    file: { query: { name: 'shared' } },
    body: { expires_in: 2_592_000 },
  });
  return {
    server,
    account,
    async use(at = server) {
      const answers = [
        await at.send('/v1/objects', { credential: account.credential }),
        await at.send(link, { door: 'files' }),
        await at.send(share.path, { door: 'files' }),
      ];
      return answers.map(({ status }) => status);
    },
  };
}

const keyIn = async (dataDir: string, name = 'master.key') => (await readFile(join(dataDir, name), 'utf8')).trim();
const lastOf = ({ running }: TestServer) => running.app.stores.metadata.read.masterKeys.lastRotation();

describe('rotateMasterKey() with the key in the data folder', () => {
  it('replaces the file, keeps the former key beside it, and closes both to other users', async () => {
    const { server, use } = await used();
    const { dataDir, clock } = server;
    const former = await keyIn(dataDir);
    await rotate(server);
    expect(await keyIn(dataDir)).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyIn(dataDir)).not.toBe(former);
    expect(await keyIn(dataDir, 'master.key.1')).toBe(former);
    const names = (await readdir(dataDir)).filter((name) => name.startsWith('master.key'));
    expect(names.sort()).toEqual(['master.key', 'master.key.1']);
    for (const name of names) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    await server.stop();
    clock.advance(3 * dayMs);
    const again = await start({ dataDir, clock });
    expect(await use(again)).toEqual([401, 404, 200]);
  });

  it.each<RotationStep>(['begun', 'known', 'file replaced', 'in force'])(
    'leaves an installation that starts, and that is finished by a second run, when it is cut off after: %s',
    async (last) => {
      const { server, use } = await used();
      const { dataDir, clock } = server;
      const cutOff = (step: RotationStep) => {
        if (step === last) throw new Error('The power is cut.');
      };
      await expect(rotate(server, { onStep: cutOff })).rejects.toThrow('The power is cut.');
      expect(await use()).toEqual([200, 200, 200]);
      await server.stop();
      const again = await start({ dataDir, clock });
      expect(await use(again)).toEqual([200, 200, 200]);
      if (last === 'in force') await expect(rotate(again)).rejects.toThrow('is in its grace period until');
      else expect((await rotate(again)).rotation.number).toBe(2);
      await expect.poll(() => again.running.app.stores.secrets.keyNumber).toBe(2);
      clock.advance(dayMs / 2);
      await again.running.app.jobs.runNow();
      expect((await lastOf(again))!.resealedAt).toBe(clock.now());
      expect(await use(again)).toEqual([200, 200, 200]);
      await again.stop();
      expect(await use(await start({ dataDir, clock }))).toEqual([200, 200, 200]);
    },
  );

  it('goes on with the key of a run that was cut off', async () => {
    const { server } = await used();
    const cutOff = (step: RotationStep) => {
      if (step === 'file replaced') throw new Error('The power is cut.');
    };
    await expect(rotate(server, { onStep: cutOff })).rejects.toThrow();
    const key = await keyIn(server.dataDir);
    await rotate(server);
    expect(await keyIn(server.dataDir)).toBe(key);
  });

  it('lets a server with a copy of the former file start in the grace period, and replaces that file', async () => {
    const { server, use } = await used();
    const { dataDir, clock } = server;
    const former = await keyIn(dataDir);
    await rotate(server);
    const current = await keyIn(dataDir);
    await server.stop();
    await writeFile(join(dataDir, 'master.key'), former);
    const again = await start({ dataDir, clock });
    expect(await use(again)).toEqual([200, 200, 200]);
    expect(await keyIn(dataDir)).toBe(current);
  });

  it('rejects a new key of the operator', async () => {
    const { server } = await used();
    await expect(rotate(server, { newKey: ownKey() })).rejects.toThrow('Leave out --new-key-file');
    expect(await lastOf(server)).toBeUndefined();
  });
});

describe("rotateMasterKey() with the operator's own key", () => {
  const [former, next] = [ownKey(), ownKey()];
  const withKey = (key: string) => ({ CUBBY_MASTER_KEY: key });

  it('lets servers start with either key until the end of the grace period, and says so', async () => {
    const { server, use } = await used({ env: withKey(former) });
    const { dataDir, clock } = server;
    await rotate(server, { env: withKey(former), newKey: next });
    expect(await use()).toEqual([200, 200, 200]);
    expect(await readdir(dataDir)).not.toContain('master.key');
    await expect
      .poll(() => server.log.map(({ message }) => message))
      .toContainEqual(expect.stringContaining('CUBBY_MASTER_KEY holds the former master key'));
    await server.stop();
    for (const key of [former, next, former]) {
      const again = await start({ dataDir, clock, env: withKey(key) });
      expect(await use(again)).toEqual([200, 200, 200]);
      const warned = again.log.some(({ message }) => String(message).includes('holds the former master key'));
      expect(warned).toBe(key === former);
      await again.stop();
    }
    clock.advance(2 * dayMs);
    await expect(start({ dataDir, clock, env: withKey(former) })).rejects.toThrow(
      new RegExp(
        '^CUBBY_MASTER_KEY holds the master key number 1, which "cubby master-key rotate" replaced on .* ' +
          'Put the master key number 2 there',
      ),
    );
    expect(await use(await start({ dataDir, clock, env: withKey(next) }))).toEqual([200, 404, 200]);
  });

  it('needs a new key, and another one than before', async () => {
    const { server } = await used({ env: withKey(former) });
    await expect(rotate(server, { env: withKey(former) })).rejects.toThrow('name it with --new-key-file');
    await expect(rotate(server, { env: withKey(former), newKey: former })).rejects.toThrow('is the same as');
  });
});

describe('rotateMasterKey() after a leak', () => {
  it('ends links and S3 secrets at once, and keeps API keys and share links', async () => {
    const { server, account, use } = await used();
    const unused = await server.account();
    const pair = await pairOf(server, account.credential);
    const { rotation } = await rotate(server, { isLeaked: true });
    await expect.poll(() => server.running.app.stores.secrets.keyNumber).toBe(2);
    expect(await use()).toEqual([200, 404, 200]);
    expect((await server.send('/v1/objects', { credential: unused.credential })).status).toBe(200);
    const renewed = await pairOf(server, account.credential);
    expect(renewed.accessKeyId).toBe(pair.accessKeyId);
    expect(renewed.secretAccessKey).not.toBe(pair.secretAccessKey);
    expect(rotation.signsUntil).toBe(rotation.inForceAt);
    expect(await lastOf(server), 'nobody opens the new key with the former one').toMatchObject({ sealedKey: null });
  });
});

describe('finishMasterKeyRotation()', () => {
  it('removes the new key from under a leaked one when the command was cut off', async () => {
    const { server } = await used();
    const cutOff = (step: RotationStep) => {
      if (step === 'in force') throw new Error('The power is cut.');
    };
    await expect(rotate(server, { isLeaked: true, onStep: cutOff })).rejects.toThrow('The power is cut.');
    expect((await lastOf(server))!.sealedKey).not.toBeNull();
    await expect.poll(() => server.running.app.stores.secrets.keyNumber).toBe(2);
    server.clock.advance(60_000);
    await server.running.app.jobs.runNow();
    expect((await lastOf(server))!.sealedKey).toBeNull();
  });

  it('waits for servers that may still write under the former key, then stores everything anew once', async () => {
    const { server } = await used();
    const { stores } = server.running.app;
    await rotate(server);
    await expect.poll(() => stores.secrets.keyNumber).toBe(2);
    expect(await finishMasterKeyRotation({ ...stores, reseals }, server.clock.now())).toBe(0);
    expect((await lastOf(server))!.resealedAt).toBeNull();
    server.clock.advance(60_000);
    await finishMasterKeyRotation({ ...stores, reseals }, server.clock.now());
    expect((await lastOf(server))!.resealedAt).toBe(server.clock.now());
  });
});
