import { describe, expect, it } from 'vitest';

import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';

const hash = '[a-z2-7]{16}';

async function start() {
  const server = await startTestServer();
  const account = await server.account();
  const { credential } = account;
  const json = (path: string, method: string, body: object) =>
    server.send(path, { method, credential, body: JSON.stringify(body) });
  const { stores } = server.running.app;
  /** Ids without their account. */
  const short = (id: string) => id.replace(`/${account.id}/`, '/');
  const long = (id: string) => id.replace('/', `/${account.id}/`);
  return {
    has: async (key: string) =>
      (await server.send(`/v1/objects/info?object=${account.id}/${key}`, { credential })).status === 200,
    put: async (query: Record<string, string>, filename: string) =>
      short((await upload(server, account, { query, filename })).json().response.id),
    patch: async (id: string, changes: object) => {
      const [result] = (
        await json('/v1/objects', 'PATCH', { object: id.includes('/') ? long(id) : `${account.id}/${id}`, ...changes })
      ).json().response.results;
      return result.ok ? { ...result, id: short(result.id) } : result;
    },
    copy: async (id: string, destination: object, more: object = {}) => {
      const answer = (
        await json('/v1/objects/copy', 'POST', {
          source: id.includes('/') ? long(id) : `${account.id}/${id}`,
          destination,
          ...more,
        })
      ).json();
      return answer.response ? short(answer.response.id) : answer;
    },
    importFile: async (key: string) => {
      const owner = (await stores.metadata.read.accounts.find(account.id))!;
      const open = async function* () {
        yield someBytes();
      };
      await importLegacyFile(stores, {
        account: owner,
        key,
        sizeBytes: 3000,
        open,
        signal: new AbortController().signal,
      });
      return key;
    },
  };
}

describe('a name with a part that looks like a hash or a mark', () => {
  it('keeps that part, and only loses or changes the mark', async () => {
    const { put, patch } = await start();
    const file = await put({ name: 'report.v1', expire: '30d' }, 'x.gz');
    expect(file).toBe('pub/report.v1-ex30.gz');
    expect((await patch(file, { expire: '60d' })).id).toBe('pub/report.v1-ex60.gz');
    expect((await patch('pub/report.v1-ex60.gz', { expire: null })).id).toBe('pub/report.v1.gz');
  });

  it('keeps its hash, and gets no second one', async () => {
    const { put, patch } = await start();
    const file = await put({ name: 'report.v3', private: 'true' }, 'x.gz');
    const marked = await patch(file, { expire: '30d' });
    expect(marked.id).toBe(file.replace('.gz', '-ex30.gz'));
    expect(await patch(marked.id, { private: true })).toMatchObject({ id: marked.id, changed: false });
  });

  it('does not pass the hash of a private file to a copy', async () => {
    const { put, copy } = await start();
    const file = await put({ name: 'report.v3', private: 'true' }, 'x.gz');
    expect(await copy(file, { name: 'open', private: false })).toBe('pub/open.gz');
  });

  it('does not pass any part of it to a copy', async () => {
    const { put, copy } = await start();
    expect(await copy(await put({ name: 'app-1.2', expire: '30d' }, 'x.gz'), { name: 'forever', expire: null })).toBe(
      'pub/forever.gz',
    );
    expect(await copy(await put({ name: 'a.exe' }, 'x.gz'), { name: 'zz' })).toBe('pub/zz.gz');
    expect(await copy(await put({ name: 'a' }, 'x.tar.gz'), { name: 'zz' })).toBe('pub/zz.tar.gz');
  });

  it('is not treated as a hash, even if it looks like one', async () => {
    const { put, patch } = await start();
    const file = await put({ name: 'my_characterization' }, 'x.png');
    expect((await patch(file, { private: true })).id).toMatch(new RegExp(`^prv/my_characterization_${hash}\\.png$`));
  });
});

describe('a key that Cubby has not made', () => {
  it.each([
    ['photo-ex30.jpg', { private: false }, /^pub\/photo-ex30\.jpg$/],
    ['photo-ex30.jpg', { private: true }, new RegExp(`^prv/photo-ex30_${hash}\\.jpg$`)],
    ['photo-ex30.jpg', { expire: '7d' }, /^pub\/photo-ex30-ex7\.jpg$/],
    ['photo-ex30.jpg', { expire: null }, /^pub\/photo-ex30\.jpg$/],
    ['my_characterization.png', { private: true }, new RegExp(`^prv/my_characterization_${hash}\\.png$`)],
    ['README', { private: true }, new RegExp(`^prv/README_${hash}$`)],
    ['Back.Up.Tar.GZ', { expire: '7d' }, /^pub\/Back\.Up-ex7\.Tar\.GZ$/],
    ['report.v1-ex30.gz', { expire: '7d' }, /^pub\/report\.v1-ex30-ex7\.gz$/],
  ])('is split into a name and an extension only: %s with %j', async (key, changes, id) => {
    const { importFile, patch } = await start();
    expect((await patch(await importFile(key), changes)).id).toMatch(id);
  });

  it('passes only its extension to a copy', async () => {
    const { importFile, copy } = await start();
    expect(await copy(await importFile('photo-ex30.jpg'), { name: 'plain' })).toBe('pub/plain.jpg');
    expect(await copy(await importFile('README'), { name: 'notes.txt', private: true })).toMatch(
      new RegExp(`^prv/notes_${hash}\\.txt$`),
    );
  });

  it('keeps the parts that Cubby added later', async () => {
    const { importFile, patch } = await start();
    const marked = (await patch(await importFile('photo-ex30.jpg'), { expire: '7d' })).id;
    expect((await patch(marked, { expire: null })).id).toBe('pub/photo-ex30.jpg');
  });
});

describe('copyObject()', () => {
  it.each(['evil.exe', 'evil.EXE', 'evil.bat.gz'])(
    'returns BLOCKED_FILE_TYPE when the name %s would give a file without an extension its type',
    async (name) => {
      const { importFile, copy, has } = await start();
      const source = await importFile('README');
      expect(await copy(source, { name })).toMatchObject({ code: 'BLOCKED_FILE_TYPE' });
      expect(await copy(source, { name, private: true, expire: '7d' }, { move: true })).toMatchObject({
        code: 'BLOCKED_FILE_TYPE',
      });
      expect(await has('README')).toBe(true);
    },
  );

  it('returns INVALID_OBJECT_NAME when the new key would exceed the maximum length', async () => {
    const { importFile, copy } = await start();
    const source = await importFile(`a.${'x'.repeat(1000)}`);
    const answer = await copy(source, { name: 'n'.repeat(100) });
    expect(answer).toMatchObject({ code: 'INVALID_OBJECT_NAME', message: expect.stringContaining('1024') });
    expect(await copy(source, { name: 'n' })).toBe(`pub/n.${'x'.repeat(1000)}`);
  });
});
