import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { exchange } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { upload } from '#test/support/files.ts';
import { browserAccept, createShare, openLink } from '#test/support/shares.ts';

let gateway: Gateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());

let id: string;
beforeEach(async () => {
  id = await stored();
});

const send = async (path: string, method = 'GET', body?: object) => {
  const { server, account } = gateway;
  const { credential } = account;
  return server.send(path, { method, credential, ...(body && { body: JSON.stringify(body) }) });
};

async function stored(query: Readonly<Record<string, string>> = { private: 'true' }): Promise<string> {
  return (await upload(gateway.server, gateway.account, { query })).json().response.id;
}

const info = async (object: string) =>
  (await send(`/v1/objects/info?object=${encodeURIComponent(object)}`)).json().response;

async function rename(object: string, original_name: string | null) {
  return (await send('/v1/objects', 'PATCH', { object, original_name })).json().response.results[0];
}

const name = 'Été 2026 (final).png';

describe('a file that was given another name', () => {
  it('keeps its id and its bytes, and changes in nothing else', async () => {
    const before = await info(id);
    gateway.server.clock.advance(60_000);
    expect(await rename(id, name)).toMatchObject({ ok: true, changed: false, id });
    const after = await info(id);
    expect(after).toEqual({ ...before, original_name: name, created_at: after.created_at });
    // As after every other change of a file.
    expect(after.created_at > before.created_at).toBe(true);
  });

  it('is the same to S3', async () => {
    const path = `/private/${id.split('/').slice(2).join('/')}`;
    const before = await exchange(gateway, { method: 'GET', path });
    await rename(id, name);
    const after = await exchange(gateway, { method: 'GET', path });
    expect(after.body.equals(before.body)).toBe(true);
    for (const header of ['etag', 'content-type', 'content-disposition'])
      expect(after.headers[header], header).toBe(before.headers[header]);
  });

  it('has the name in lists, links, downloads and archives', async () => {
    await rename(id, name);
    const other = await stored({ name: 'other' });
    const { objects } = (await send('/v1/objects?private=true&fields=original_name')).json().response;
    expect(objects.find((one: { id: string }) => one.id === id).original_name).toBe(name);

    const link = (await send(`/v1/objects/download?object=${id}&redirect=false&disposition=attachment`)).json();
    const { server, account } = gateway;
    const saved = await server.send(new URL(link.response.url).pathname, { door: 'files' });
    expect(saved.headers.get('content-disposition')).toContain(encodeURIComponent('Été'));

    const share = (await createShare(server, account, { object: id, landing: true })).json().response;
    const page = await openLink(server, { path: `/s/${share.id}` }, { Accept: browserAccept });
    expect(page.body.toString()).toContain(name);
    const { shares } = (await send('/v1/shares')).json().response;
    expect(shares.find((one: { id: string }) => one.id === share.id).original_name).toBe(name);

    const bundle = (await createShare(server, account, { objects: [id, other] })).json().response;
    const { files } = (await send(`/v1/shares/files?id=${bundle.id}`)).json().response;
    expect(files.map((file: { name: string }) => file.name)).toEqual([name, 'photo.png']);
    await rename(id, 'Another.png');
    const again = (await send(`/v1/shares/files?id=${bundle.id}`)).json().response;
    expect(again.files[0].name).toBe('Another.png');
    const { shares: listed } = (await send('/v1/shares')).json().response;
    expect(listed.find((one: { id: string }) => one.id === bundle.id)).not.toHaveProperty('original_name');
  });

  it('is told of by an event and in the activity, as other changes are', async () => {
    const { cursor } = (await send('/v1/events?cursor=latest')).json().response;
    await rename(id, name);
    const { events } = (await send(`/v1/events?cursor=${cursor}`)).json().response;
    expect(events).toMatchObject([
      { type: 'object.updated', data: { object: { id, original_name: name }, changed: ['original_name'] } },
    ]);
    const { activity } = (await send('/v1/account/activity?limit=1')).json().response;
    expect(activity).toMatchObject([
      { type: 'object.updated', object: id, details: { changed: ['original_name'], original_name: name } },
    ]);
  });

  it('keeps the name when it moves, and loses it with null', async () => {
    await rename(id, name);
    const copy = { source: id, destination: { name: 'moved' }, move: true };
    const { id: moved } = (await send('/v1/objects/copy', 'POST', copy)).json().response;
    expect((await info(moved)).original_name).toBe(name);
    expect(await rename(moved, null)).toMatchObject({ ok: true, id: moved });
    expect((await info(moved)).original_name).toBeNull();
  });

  it('meets its condition, or stays as it is', async () => {
    const { server, account } = gateway;
    const patch = (condition: string) =>
      server.send('/v1/objects', {
        method: 'PATCH',
        credential: account.credential,
        headers: { 'If-Match': condition },
        body: JSON.stringify({ object: id, original_name: name }),
      });
    expect((await patch('"another"')).status).toBe(412);
    expect((await info(id)).original_name).toBe('photo.png');
    expect((await patch(`"${(await info(id)).etag}"`)).status).toBe(200);
  });
});
