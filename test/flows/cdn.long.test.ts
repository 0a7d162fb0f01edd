import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startHookServer, type HookCall } from '#test/support/hook-server.ts';
import { startTestServer } from '#test/support/server.ts';

const publicHost = 'https://cdn.example.com';

/** Starts a server behind a CDN that is notified by a webhook. */
async function start() {
  const hook = await startHookServer();
  const env = {
    CUBBY_PUBLIC_URL: publicHost,
    CUBBY_CDN_PURGE_URL: `http://user:s3cret@127.0.0.1:${hook.port}/hooks/s3cret?token=s3cret`,
  };
  const server = await startTestServer({ env });
  const account = await server.account();
  const { credential } = account;
  const send = async (method: string, path: string, body: object) =>
    (await server.send(path, { method, credential, body: JSON.stringify(body) })).json();
  const put = async (query: Record<string, string> = {}) =>
    (await upload(server, account, { bytes: someBytes(600), query })).json().response as { id: string; url: string };
  const info = async (id: string) => (await server.send(`/v1/objects/info?object=${id}`, { credential })).json();
  /** Waits until the CDN was notified of exactly these URLs. */
  const told = (...urls: string[]) => eventually(() => expect(urlsOf(hook.calls).sort()).toEqual(urls.sort()));
  const activity = async () =>
    (await server.send('/v1/account/activity', { credential }))
      .json()
      .response.activity.map(({ type }: { type: string }) => type);
  return { hook, server, account, send, put, info, told, activity };
}

const urlsOf = (calls: readonly HookCall[]) => calls.flatMap(({ body }) => (body as { urls: string[] }).urls);

describe('a file that becomes private', () => {
  it('is purged from the CDN before the response, in a separate call', async () => {
    const { hook, put, send } = await start();
    const { id, url } = await put({ prefix: 'a', name: 'b' });
    const { results } = (await send('PATCH', '/v1/objects', { object: id, private: true })).response;
    expect(results).toEqual([expect.objectContaining({ ok: true, private: true, url: null })]);
    expect(hook.calls.map(({ body }) => body)).toEqual([{ urls: [url] }]);
    expect(hook.calls[0]).toMatchObject({
      method: 'POST',
      path: '/hooks/s3cret?token=s3cret',
      headers: { authorization: `Basic ${btoa('user:s3cret')}` },
    });
  });

  it('answers VISIBILITY_CHANGE_FAILED, stays public and leaves no activity when the CDN refuses', async () => {
    const { hook, server, put, send, info, activity } = await start();
    const { id, url } = await put();
    const before = await info(id);
    hook.answer = (res) => res.writeHead(403).end();
    const { results } = (await send('PATCH', '/v1/objects', { object: id, private: true })).response;
    expect(results).toEqual([{ object: id, ok: false, code: 'VISIBILITY_CHANGE_FAILED' }]);
    expect(await info(id)).toEqual(before);
    expect(before.response).toMatchObject({ private: false, url });
    expect(await activity()).toEqual(['object.uploaded', 'key.created']);
    const faults = server.log.filter(({ message }) => message === 'fault');
    expect(faults).toMatchObject([
      { level: 'error', job: 'cdn-purge', error: { message: 'The CDN purge hook answered 403.' } },
    ]);
    await sleep(300);
    expect(
      hook.calls.map(({ body }) => body),
      'the hook is called once',
    ).toEqual([{ urls: [url] }]);
    hook.answer = (res) => res.writeHead(204).end();
    expect((await send('PATCH', '/v1/objects', { object: id, private: true })).response.results[0].ok).toBe(true);
    expect(await activity()).toEqual(['object.updated', 'object.uploaded', 'key.created']);
  });

  it('keeps its share links when the CDN refuses, and tells that they are back', async () => {
    const { hook, server, account, put, send } = await start();
    const { id } = await put();
    const link = (await send('POST', '/v1/shares', { object: id })).response.id;
    hook.answer = (res) => res.writeHead(403).end();
    await send('PATCH', '/v1/objects', { object: id, private: true });
    expect((await server.send(`/s/${link}`, { door: 'files' })).status).toBe(302);
    const listed = (await server.send('/v1/shares', { credential: account.credential })).json().response.shares;
    expect(listed.map((share: { id: string }) => share.id)).toEqual([link]);
    const { events } = (await server.send('/v1/events', { credential: account.credential })).json().response;
    const kinds = ['share.created', 'share.ended', 'share.updated'];
    const ofLink = events.filter(({ type }: { type: string }) => kinds.includes(type));
    expect(ofLink.map(({ type, data }: any) => [type, data.reason ?? data.undone])).toEqual([
      ['share.created', undefined],
      ['share.ended', 'file_moved'],
      ['share.updated', true],
    ]);
  });

  it('by a move waits for the CDN too, and stays where it was when the CDN refuses', async () => {
    const { hook, server, account, put, send, info, activity } = await start();
    const { id, url } = await put({ prefix: 'a', name: 'b' });
    const before = await info(id);
    const usage = async () =>
      (await server.send('/v1/account/stats', { credential: account.credential })).json().response.usage;
    const usedBefore = await usage();
    const move = () =>
      send('POST', '/v1/objects/copy', { source: id, destination: { name: 'c', private: true }, move: true });
    hook.answer = (res) => res.writeHead(403).end();
    expect(await move()).toMatchObject({ status: 'error', code: 'VISIBILITY_CHANGE_FAILED' });
    expect(await info(id)).toEqual(before);
    expect(await usage()).toEqual(usedBefore);
    expect((await server.send('/v1/objects', { credential: account.credential })).json().response.objects).toHaveLength(
      1,
    );
    expect(await activity()).toEqual(['object.uploaded', 'key.created']);
    await sleep(300);
    expect(
      hook.calls.map(({ body }) => body),
      'the hook is called once',
    ).toEqual([{ urls: [url] }]);
    hook.answer = (res) => res.writeHead(204).end();
    expect((await move()).response).toMatchObject({ private: true, moved: true, url: null });
    expect(hook.calls.map(({ body }) => body)).toEqual([{ urls: [url] }, { urls: [url] }]);
    expect((await info(id)).code).toBe('OBJECT_NOT_FOUND');
    await sleep(100);
    expect(hook.calls).toHaveLength(2);
  });

  it('by a move under a rule that makes files private waits for the CDN too', async () => {
    const { hook, put, send, info } = await start();
    await send('PUT', '/v1/account/settings', { rules: [{ prefix: 'hidden', private: true }] });
    const { id, url } = await put({ prefix: 'a', name: 'b' });
    const move = () =>
      send('POST', '/v1/objects/copy', { source: id, destination: { name: 'c', prefix: 'hidden' }, move: true });
    hook.answer = (res) => res.writeHead(403).end();
    expect(await move()).toMatchObject({ status: 'error', code: 'VISIBILITY_CHANGE_FAILED' });
    expect((await info(id)).code).toBeUndefined();
    hook.answer = (res) => res.writeHead(204).end();
    expect((await move()).response).toMatchObject({ private: true, moved: true });
    await sleep(100);
    expect(hook.calls.map(({ body }) => body)).toEqual([{ urls: [url] }, { urls: [url] }]);
  });

  it('does not expose the secret of the hook in log and responses', async () => {
    const { hook, server, put, send } = await start();
    const { id } = await put();
    for (const answer of [
      (res) => res.writeHead(302, { Location: '/s3cret' }).end('s3cret'),
      (res) => res.destroy(),
    ] as Array<typeof hook.answer>) {
      hook.answer = answer;
      expect(JSON.stringify(await send('PATCH', '/v1/objects', { object: id, private: true }))).not.toContain('s3cret');
    }
    expect(server.log.filter(({ message }) => message === 'fault').length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(server.log)).not.toContain('s3cret');
  });
});

describe('a CDN is notified, after the response,', () => {
  it('of deleted and replaced files, but not of private or new ones', async () => {
    const { server, account, put, send, told } = await start();
    const [a, b, c] = [await put({ name: 'a' }), await put({ name: 'b' }), await put({ name: 'c' })];
    const hidden = await put({ name: 'd', private: 'true' });
    await put({ name: 'a' });
    await send('DELETE', '/v1/objects', { objects: [b.id, hidden.id] });
    await send('POST', '/v1/objects/copy', { source: a.id, destination: { name: 'c' }, overwrite: true });
    await told(a.url, b.url, c.url);
    expect((await upload(server, account, { query: { name: 'a', overwrite: 'false' } })).json().code).toBe(
      'OBJECT_ALREADY_EXISTS',
    );
    await told(a.url, b.url, c.url);
  });

  it('of files that have another address or other headers', async () => {
    const { put, send, told } = await start();
    const [a, b, c, d] = [
      await put({ name: 'a' }),
      await put({ name: 'b' }),
      await put({ name: 'c' }),
      await put({ name: 'd' }),
    ];
    await send('POST', '/v1/objects/copy', { source: a.id, destination: { name: 'moved' }, move: true });
    await send('PATCH', '/v1/objects', { object: b.id, expire: '30d' });
    await send('PATCH', '/v1/objects', { object: c.id, disposition: 'attachment' });
    await send('POST', '/v1/objects/copy', { source: d.id, destination: { name: 'e', private: true }, move: true });
    await told(a.url, b.url, c.url, d.url);
  });

  it('of files that expire or are deleted by a rule', async () => {
    const { server, put, send, told } = await start();
    const expiring = await put({ expire: '1h' });
    const old = await put({ prefix: 'old' });
    await send('PUT', '/v1/account/settings', { rules: [{ prefix: 'old/', delete_after_days: 1 }] });
    server.clock.advance(25 * 3_600_000);
    await server.running.app.jobs.runNow();
    await told(expiring.url, old.url);
  });

  it('of a legacy file whose URL a current file takes over or gives back', async () => {
    const { server, account, put, send, told } = await start();
    const { stores } = server.running.app;
    const owner = (await stores.metadata.read.accounts.find(account.id))!;
    const open = async function* () {
      yield someBytes(700);
    };
    await importLegacyFile(stores, {
      account: owner,
      key: 'photo.png',
      sizeBytes: 700,
      open,
      signal: new AbortController().signal,
    });
    const { id, url } = await put();
    await told(url);
    await send('DELETE', '/v1/objects', { object: id });
    await told(url, url);
  });

  it('of all changes before the server has stopped', async () => {
    const { hook, server, put, send } = await start();
    const files = await Promise.all(Array.from({ length: 10 }, (_, at) => put({ name: `f${at}` })));
    await send('DELETE', '/v1/objects', { objects: files.map(({ id }) => id) });
    await server.stop();
    expect(urlsOf(hook.calls).sort()).toEqual(files.map(({ url }) => url).sort());
  });
});

describe('a CDN that fails', () => {
  it('for one URL does not delay other URLs of the same request or of later ones', async () => {
    const { hook, server, put, send } = await start();
    const [a, b, c] = [await put({ name: 'a' }), await put({ name: 'b' }), await put({ name: 'c' })];
    const agreed: string[] = [];
    hook.answer = (res, { body }) => {
      const { urls } = body as { urls: string[] };
      if (urls.includes(a.url)) return res.writeHead(403).end();
      agreed.push(...urls);
      return res.writeHead(204).end();
    };
    await send('DELETE', '/v1/objects', { objects: [a.id, b.id] });
    await eventually(() => expect(agreed).toEqual([b.url]));
    await send('DELETE', '/v1/objects', { object: c.id });
    await eventually(() => expect(agreed).toEqual([b.url, c.url]));
    hook.answer = (res) => res.writeHead(204).end();
    server.clock.advance(60_000);
    await server.stop();
    expect(urlsOf(hook.calls).at(-1), 'and the one is told again').toBe(a.url);
  });

  it('does not prevent deletions, and is logged', async () => {
    const { hook, server, put, send } = await start();
    const { id } = await put();
    hook.answer = (res) => res.writeHead(500).end();
    expect((await send('DELETE', '/v1/objects', { object: id })).status).toBe('success');
    const fault = { message: 'fault', job: 'cdn-purge', error: { message: 'The CDN purge hook answered 500.' } };
    await eventually(() => expect(server.log.filter(({ job }) => job === 'cdn-purge')).toMatchObject([fault]));
  });
});
