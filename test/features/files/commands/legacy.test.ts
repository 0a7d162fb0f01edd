import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { cubbyHere, cubbyOver, temporaryFolder } from '#test/cli/cubby.ts';

async function folderWith(files: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

async function start() {
  const server = await startTestServer();
  const account = await server.account();
  const usage = async () => {
    const { usedBytes, usedObjects, reservedBytes } = (await server.running.app.stores.metadata.read.accounts.find(
      account.id,
    ))!;
    return { usedBytes, usedObjects, reservedBytes };
  };
  const list = async () =>
    (await server.send('/v1/objects', { credential: account.credential })).json().response.objects as Array<{
      id: string;
    }>;
  return { server, account, usage, list, args: ['legacy', 'import', '--account', account.id] };
}

const done = { imported: 0, skipped: 0, gone: 0, ignored: [], failed: [] };

describe('cubby legacy import', () => {
  it('stores a folder under its paths, and a running server sees the files at once', async () => {
    const { server, account, usage, list, args } = await start();
    const large = someBytes(300_000);
    const folder = await folderWith({
      'a.txt': 'a',
      empty: '',
      'deep/er/large.bin': large,
      'with space/é#1.png': 'png',
    });
    await utimes(join(folder, 'a.txt'), 1, 1);
    expect(await list()).toEqual([]);

    expect(await cubbyOver(server.dataDir).json(...args, folder)).toEqual({ ...done, imported: 4 });
    const keys = ['a.txt', 'deep/er/large.bin', 'empty', 'with space/é#1.png'];
    expect((await list()).map(({ id }) => id)).toEqual(keys.map((key) => `${account.id}/${key}`));
    expect(await usage()).toEqual({ usedBytes: 300_004, usedObjects: 4, reservedBytes: 0 });

    const fetched = await server.send(`/${account.id}/deep/er/large.bin`, { door: 'public' });
    expect(fetched.body.equals(large)).toBe(true);
    expect((await server.send(`/${account.id}/empty`, { door: 'public' })).body).toHaveLength(0);
    const { activity } = (await server.send('/v1/account/activity', { credential: account.credential })).json()
      .response;
    expect(activity[0]).toMatchObject({ type: 'object.uploaded', auth: 'system' });
  });

  it('can be repeated: it skips files that are there, and replaces those with other bytes', async () => {
    const { server, account, usage, args } = await start();
    const folder = await folderWith({ a: 'one', b: someBytes(50_000), c: 'same' });
    const cubby = cubbyHere(server.dataDir);
    await cubby.json(...args, folder);
    const before = (
      await server.send(`/v1/objects/info?object=${account.id}/c`, { credential: account.credential })
    ).json();
    expect(await cubby.json(...args, folder)).toEqual({ ...done, skipped: 3 });

    const bytes = someBytes(50_000);
    await writeFile(join(folder, 'a'), 'other');
    await writeFile(join(folder, 'b'), bytes);
    await writeFile(join(folder, 'd'), 'new');
    expect(await cubby.json(...args, folder)).toEqual({ ...done, imported: 3, skipped: 1 });
    expect(await usage()).toEqual({ usedBytes: 50_012, usedObjects: 4, reservedBytes: 0 });
    expect((await server.send(`/${account.id}/b`, { door: 'public' })).body.equals(bytes)).toBe(true);
    expect(
      (await server.send(`/v1/objects/info?object=${account.id}/c`, { credential: account.credential })).json(),
    ).toEqual(before);
  });

  it('skips files that the account has since deleted, moved or made private, unless --again is given', async () => {
    const { server, account, list, args } = await start();
    const cubby = cubbyHere(server.dataDir);
    const folder = await folderWith({
      'deleted.bin': 'one',
      'hidden.bin': 'two',
      'kept.bin': 'three',
      'moved.bin': someBytes(50_000),
      'other.bin': 'old',
    });
    await cubby.json(...args, folder);
    const ask = (method: string, path: string, body: object) =>
      server.send(path, { method, credential: account.credential, body: JSON.stringify(body) });
    await ask('DELETE', '/v1/objects', { objects: [`${account.id}/deleted.bin`, `${account.id}/other.bin`] });
    await writeFile(join(folder, 'other.bin'), 'new');
    await ask('PATCH', '/v1/objects', { object: `${account.id}/hidden.bin`, private: true });
    await ask('POST', '/v1/objects/copy', {
      source: `${account.id}/moved.bin`,
      destination: { name: 'elsewhere' },
      move: true,
    });
    const before = await list();
    expect(await cubby.json(...args, folder)).toEqual({ ...done, imported: 1, skipped: 1, gone: 3 });
    expect((await list()).map(({ id }) => id)).toEqual([...before.map(({ id }) => id), `${account.id}/other.bin`]);
    expect((await cubby(...args, folder)).stdout).toBe(
      '0 imported, 2 already there, 3 imported before and gone since, 0 failed.\n',
    );

    expect(await cubby.json(...args, '--again', folder)).toEqual({ ...done, imported: 3, skipped: 2 });
    expect((await server.send(`/${account.id}/hidden.bin`, { door: 'public' })).body.toString()).toBe('two');
  });

  it('continues after files that cannot be stored, names them, and exits with 1', async () => {
    const { server, list, args } = await start();
    const folder = await folderWith({ good: 'x', 'bad\nname': 'x' });
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff])]), 'x');
    const long = Array(5).fill('d'.repeat(220)).join('/');
    await mkdir(join(folder, long), { recursive: true });
    await writeFile(join(folder, long, 'f'), 'x');
    await symlink('/etc/passwd', join(folder, 'link'));
    await symlink(folder, join(folder, 'loop'));

    const { code, stdout, stderr } = await cubbyOver(server.dataDir)(...args, folder, '--json');
    const summary = JSON.parse(stdout);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('3 of the files could not be imported'),
    });
    expect(summary).toMatchObject({ imported: 1, skipped: 0 });
    expect(summary.failed.map(({ key }: { key: string }) => key)).toEqual(['bad\nname', `${long}/f`, 'f\ufffd']);
    expect(summary.ignored).toEqual(['link', 'loop'].map((key) => ({ key, reason: 'a symbolic link' })));
    expect(await list()).toHaveLength(1);
    expect((await cubbyHere(server.dataDir)(...args, folder)).stdout).toMatch(
      /^0 imported, 1 already there, 3 failed\.\n\nSkipped:\n {2}link +a symbolic link\n/,
    );
  });

  it('keeps to the quota, and leaves nothing of files that do not fit', async () => {
    const { server, account, usage, args } = await start();
    const folder = await folderWith({ a: someBytes(20_000), b: someBytes(20_000), c: someBytes(20_000) });
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 45_000));
    const { code, stdout } = await cubbyHere(server.dataDir)(...args, folder, '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      imported: 2,
      failed: [{ reason: expect.any(String) }],
    });
    expect(await usage()).toEqual({ usedBytes: 40_000, usedObjects: 2, reservedBytes: 0 });
  });

  it('rejects an unknown account, a missing folder and the data folder', async () => {
    const { server, list, args } = await start();
    const cubby = cubbyHere(server.dataDir);
    const folder = await folderWith({ a: 'x' });
    const refused = (words: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(words) });
    expect(await cubby('legacy', 'import', '--account', '123456789012345678', folder)).toEqual(
      refused('There is no account'),
    );
    expect(await cubby(...args, join(folder, 'missing'))).toEqual(refused('There is no folder'));
    expect(await cubby(...args, join(folder, 'a'))).toEqual(refused('There is no folder'));
    for (const inside of [server.dataDir, join(server.dataDir, 'blobs'), dirname(server.dataDir)]) {
      expect(await cubby(...args, inside)).toEqual(refused('would become public'));
    }
    expect(await readdir(server.dataDir)).toContain('master.key');
    expect(await list()).toEqual([]);
  });
});
