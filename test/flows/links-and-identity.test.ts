import { describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';

const dayMs = 86_400_000;

/** Uploads a file and makes a temporary link to it. Returns them with the changes that a test can make. */
async function linked(query: Record<string, string> = {}) {
  const server = await startTestServer();
  const account = await server.account();
  const json = async (path: string, method: string, body: object) => {
    const { response } = (
      await server.send(path, { method, credential: account.credential, body: JSON.stringify(body) })
    ).json();
    return response;
  };
  const put = async (more: Record<string, string> = query, bytes = someBytes()) =>
    (await upload(server, account, { query: more, bytes })).json().response.id as string;
  const link = async (id: string, more = '') =>
    (
      await server.send(`/v1/objects/download?object=${id}&redirect=false&filename=x.png${more}`, {
        credential: account.credential,
      })
    ).json().response as { url: string; expires_at: string };
  const id = await put();
  const { url } = await link(id);
  const open = () => server.send(new URL(url).pathname, { door: 'files' });
  expect((await open()).status).toBe(200);
  return {
    server,
    account,
    id,
    put,
    link,
    open,
    update: async (object: string, changes: object) =>
      (await json('/v1/objects', 'PATCH', { object, ...changes })).results[0].id as string,
    copy: async (source: string, destination: object, more: object = {}) =>
      (await json('/v1/objects/copy', 'POST', { source, destination, ...more })).id as string,
    remove: (object: string) => json('/v1/objects', 'DELETE', { object }),
  };
}

describe('a temporary link stays ended', () => {
  it('when its file becomes public and private again', async () => {
    const { id, update, open } = await linked({ private: 'true' });
    expect(await update(await update(id, { private: false }), { private: true })).toBe(id);
    expect((await open()).status).toBe(404);
  });

  it('when its file gets another expiry and then its old one', async () => {
    const { id, update, open } = await linked({ expire: '30d' });
    expect(await update(await update(id, { expire: '60d' }), { expire: '30d' })).toBe(id);
    expect((await open()).status).toBe(404);
  });

  it('when its file is moved away and back', async () => {
    const { id, copy, open } = await linked();
    expect(await copy(await copy(id, { name: 'elsewhere' }, { move: true }), { name: 'photo' }, { move: true })).toBe(
      id,
    );
    expect((await open()).status).toBe(404);
  });

  it('when its file is deleted and another file takes the name', async () => {
    const { id, put, copy, remove, open } = await linked();
    await remove(id);
    expect(await put()).toBe(id);
    expect((await open()).status).toBe(404);
    await remove(id);
    expect(await copy(await put({ name: 'other' }), { name: 'photo' })).toBe(id);
    expect((await open()).status).toBe(404);
  });
});

describe('a temporary link stays valid', () => {
  it('when its file is overwritten in place, and serves the new bytes', async () => {
    const { id, put, copy, open } = await linked();
    const bytes = someBytes();
    expect(await put({}, bytes)).toBe(id);
    expect((await open()).body.equals(bytes)).toBe(true);
    await copy(await put({ name: 'other' }, someBytes(700)), { name: 'photo' }, { overwrite: true });
    expect((await open()).body).toHaveLength(700);
  });

  it('when headers of its file change, or an update does not change its id', async () => {
    const { id, update, open } = await linked({ expire: '30d' });
    expect(await update(id, { disposition: 'attachment', cache_control: 'immutable', metadata: { a: '1' } })).toBe(id);
    expect(await update(id, { private: false, expire: '30d' })).toBe(id);
    expect((await open()).status).toBe(200);
  });

  it('when its file is copied, and does not open the copy', async () => {
    const { id, copy, remove, open } = await linked();
    await copy(id, { name: 'twin' });
    expect((await open()).status).toBe(200);
    await remove(id);
    expect((await open()).status).toBe(404);
  });
});

describe('getDownloadLink()', () => {
  it('returns no link that lasts longer than the file', async () => {
    const { server, id, link } = await linked({ expire: '7d' });
    server.clock.advance(7 * dayMs - 60_000);
    expect((await link(id)).expires_at).toBe('2026-04-28T09:30:00.000Z');
    expect((await link(id, '&expires=60')).expires_at).toBe('2026-04-28T09:30:00.000Z');
  });
});
