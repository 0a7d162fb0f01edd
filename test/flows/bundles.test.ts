import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { unpacked } from '#test/support/archives.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import {
  browserAccept,
  codeOf,
  createShare,
  givePassword,
  listShares,
  openLink,
  pressDownload,
  remainingOf,
  type TestShare,
} from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('pro');
});
afterAll(() => server.stop());

const html = { Accept: browserAccept };

interface Given {
  readonly bytes?: Buffer;
  readonly filename?: string;
  readonly isPublic?: boolean;
}

/** Uploads a file into a folder. Returns its id. */
async function file(prefix: string, name: string, { bytes = someBytes(), filename, isPublic }: Given = {}) {
  const query = { prefix, name, ...(isPublic ? {} : { private: 'true' }) };
  const answer = await upload(server, account, { bytes, ...(filename !== undefined && { filename }), query });
  return answer.json().response.id as string;
}

async function bundle(body: Readonly<Record<string, unknown>>): Promise<TestShare> {
  const { id, url, object } = (await createShare(server, account, body)).json().response;
  return { id, path: `/s/${id}`, url, object };
}

function remove(object: string) {
  const { credential } = account;
  return server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object }) });
}

describe('A link to a list of files', () => {
  it('serves them as one archive with an exact length, a strong ETag and ranges', async () => {
    const [one, two] = [someBytes(5_000), someBytes(100_000)];
    const objects = [
      await file('papers/2026', 'lease', { bytes: one, filename: 'Mietvertrag für Ä.png' }),
      await file('papers', 'plan', { bytes: two, isPublic: true, filename: 'plan.png' }),
    ];
    const created = (await createShare(server, account, { objects })).json().response;
    expect(created).toMatchObject({ kind: 'files', files: 2, landing: true, object_is_public: true });
    expect(created.object).toBe(`prv/${account.id}/papers/`);
    const link = { path: `/s/${created.id}` };
    const answer = await openLink(server, link);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(answer.body.length));
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=files.zip');
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(answer.headers.get('last-modified')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const files = await unpacked(answer.body);
    expect([...files.keys()]).toEqual(['2026/Mietvertrag für Ä.png', 'plan.png']);
    expect(files.get('plan.png')!.equals(two)).toBe(true);
    expect(files.get('2026/Mietvertrag für Ä.png')!.equals(one)).toBe(true);
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-5100', 10, 5100],
      ['bytes=-30', answer.body.length - 30, answer.body.length - 1],
      ['bytes=70000-', 70_000, answer.body.length - 1],
    ] as const) {
      const part = await openLink(server, link, { Range: range });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end}/${answer.body.length}`,
      ]);
      expect(part.body.equals(answer.body.subarray(start, end + 1))).toBe(true);
    }
    expect((await openLink(server, link, { Range: `bytes=${answer.body.length}-` })).status).toBe(416);
    const etag = answer.headers.get('etag')!;
    expect((await openLink(server, link, { 'If-None-Match': etag })).status).toBe(304);
    const head = await openLink(server, link, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(answer.body.length)]);
  });

  it('shows a page with each file, its size and a download of its own', async () => {
    const bytes = someBytes(2048);
    const objects = [await file('page', 'a', { bytes, filename: '<b>a&b.png' }), await file('page', 'b')];
    const link = await bundle({ objects, title: 'Papers for May', message: 'See you' });
    const page = await openLink(server, link, html);
    const text = page.body.toString();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('Papers for May');
    expect(text).toContain('See you');
    expect(text).toContain('2 files');
    expect(text).not.toContain('<b>a');
    expect(text).toMatch(/<a href="\?file=1" rel="nofollow"><bdi>_b_a&#38;b\.png/);
    const one = await server.send(`${link.path}?file=1`, { door: 'files', headers: html });
    expect(one.body.equals(bytes)).toBe(true);
    expect(one.headers.get('content-disposition')).toContain('attachment');
    expect(one.headers.get('x-cubby-receipt')).not.toBeNull();
    for (const place of ['3', '0', 'x', '', 'prv/page/a'])
      expect(codeOf(await server.send(`${link.path}?file=${place}`, { door: 'files' }))).toEqual([
        404,
        'OBJECT_NOT_FOUND',
      ]);
    const missing = await server.send(`${link.path}?file=9`, { door: 'files', headers: html });
    expect([missing.status, missing.body.toString()]).toEqual([404, expect.stringContaining('no longer there')]);
    const archive = await server.send(`${link.path}?download=1`, { door: 'files', headers: html });
    expect(archive.headers.get('content-disposition')).toBe('attachment; filename="Papers for May.zip"');
  });

  it('keeps all words of a title with slashes in the name of the archive', async () => {
    const link = await bundle({ objects: [await file('titled', 'a')], title: 'Q3/Q4 \\ both' });
    const archive = await openLink(server, link);
    expect(archive.headers.get('content-disposition')).toBe('attachment; filename="Q3_Q4 _ both.zip"');
  });

  it('keeps to its files: shows what is left, follows new bytes, and ends with none', async () => {
    const [first, second] = [await file('left', 'a'), await file('left', 'b')];
    const link = await bundle({ objects: [first, second, first] });
    const etagOf = async () => (await openLink(server, link, {}, 'HEAD')).headers.get('etag');
    const before = await etagOf();
    expect((await unpacked((await openLink(server, link)).body)).size).toBe(2);
    await remove(first);
    const left = await openLink(server, link);
    expect(left.headers.get('etag')).not.toBe(before);
    expect((await unpacked(left.body)).size).toBe(1);
    expect(codeOf(await server.send(`${link.path}?file=1`, { door: 'files' }))).toEqual([404, 'OBJECT_NOT_FOUND']);
    expect((await server.send(`${link.path}?file=2`, { door: 'files' })).status).toBe(200);
    await remove(second);
    expect(codeOf(await openLink(server, link))).toEqual([404, 'BUNDLE_EMPTY']);
    expect((await openLink(server, link, html)).body.toString()).toContain('There are no files here');
    expect(await listShares(server, account)).toContainEqual(expect.objectContaining({ id: link.id }));
  });

  it('is refused for a missing file, too many, and more than one target', async () => {
    const object = await file('bad', 'a');
    const missing = `prv/${account.id}/bad/none.png`;
    const code = async (body: unknown) => codeOf(await createShare(server, account, body));
    expect(await code({ objects: [object, missing] })).toEqual([404, 'OBJECT_NOT_FOUND']);
    expect(await code({ objects: Array.from({ length: 1001 }, () => object) })).toEqual([400, 'TOO_MANY_OBJECTS']);
    expect(await code({ objects: [] })).toEqual([400, 'INVALID_BODY']);
    expect(await code({})).toEqual([400, 'INVALID_OBJECT']);
    expect(await code({ object, prefix: 'bad' })).toEqual([400, 'INVALID_BODY']);
    expect(await code({ prefix: '../x' })).toEqual([400, 'INVALID_OBJECT_PREFIX']);
    expect(await code({ objects: ['prv/204815162342108999/x'] })).toEqual([400, 'INVALID_OBJECT']);
  });
});

describe('A link to a folder', () => {
  it('shows what is in the folder at each visit, of both visibilities, and nothing else', async () => {
    const created = (await createShare(server, account, { prefix: 'live/' })).json().response;
    expect(created).toMatchObject({ kind: 'folder', prefix: 'live', object: `prv/${account.id}/live/` });
    const link = { path: `/s/${created.id}` };
    expect(codeOf(await openLink(server, link))).toEqual([404, 'BUNDLE_EMPTY']);
    await file('live', 'a', { filename: 'a.png' });
    await file('live/deep', 'b', { isPublic: true, filename: 'b.png' });
    await file('live-not', 'c');
    const answer = await openLink(server, link);
    expect([...(await unpacked(answer.body)).keys()].toSorted()).toEqual(['a.png', 'deep/b.png']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=live.zip');
    const page = (await openLink(server, link, html)).body.toString();
    const [place] = /\?file=pub[^"]*/.exec(page)!;
    expect((await server.send(link.path + place, { door: 'files' })).status).toBe(200);
    for (const other of ['prv/../live-not/c.png', 'prv/', 'prv', '/a.png', 'pub/none.png'])
      expect(codeOf(await server.send(`${link.path}?file=${encodeURIComponent(other)}`, { door: 'files' }))).toEqual([
        404,
        'OBJECT_NOT_FOUND',
      ]);
  });

  it('never mixes two states: If-Range of an older one gives the whole new one', async () => {
    await file('mix', 'a');
    const link = await bundle({ prefix: 'mix' });
    const before = await openLink(server, link);
    const etag = before.headers.get('etag')!;
    const rest = await openLink(server, link, { Range: 'bytes=100-', 'If-Range': etag });
    expect([rest.status, rest.body.equals(before.body.subarray(100))]).toEqual([206, true]);
    await file('mix', 'b');
    const other = await openLink(server, link, { Range: 'bytes=100-', 'If-Range': etag });
    expect([other.status, other.headers.get('etag') === etag]).toEqual([200, false]);
    expect((await unpacked(other.body)).size).toBe(2);
    expect((await openLink(server, link, { 'If-Match': etag })).status).toBe(412);
  });
});

describe('The cap of a bundle', () => {
  const claim = async (link: TestShare, headers = {}) => (await openLink(server, link, headers)).status;

  it('counts an archive as one download, whose ranges are free', async () => {
    await file('cap', 'a', { bytes: someBytes(50_000) });
    const link = await bundle({ prefix: 'cap', max_downloads: 1, landing: false });
    const whole = await openLink(server, link);
    expect(whole.status).toBe(200);
    expect(await claim(link)).toBe(410);
    const rest = await openLink(server, link, { Range: 'bytes=1000-' });
    expect([rest.status, rest.body.equals(whole.body.subarray(1000))]).toEqual([206, true]);
    expect(await claim(link, { Range: 'bytes=0-' })).toBe(410);
  });

  it('is exact under parallel requests', async () => {
    await file('race', 'a');
    const link = await bundle({ prefix: 'race', max_downloads: 3, landing: false });
    const statuses = await Promise.all(Array.from({ length: 12 }, () => claim(link)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 410)).toHaveLength(9);
    expect(await remainingOf(server, account, link)).toBe(0);
  });

  it('counts the files that a visitor takes one by one as one download', async () => {
    const objects = [await file('single', 'a'), await file('single', 'b'), await file('single', 'c')];
    const link = await bundle({ objects, max_downloads: 1, landing: true });
    const take = async (place: number, agent = 'one') =>
      (await pressDownload(server, link, { 'User-Agent': agent }, { file: String(place) })).status;
    expect(await Promise.all([1, 2, 3].map((place) => take(place)))).toEqual([200, 200, 200]);
    expect(await take(1, 'another visitor')).toBe(410);
    const page = await openLink(server, link, { ...html, 'User-Agent': 'one' });
    expect([page.status, page.body.toString().includes('Download all')]).toEqual([200, false]);
    expect((await openLink(server, link, { ...html, 'User-Agent': 'another visitor' })).status).toBe(410);
    const taken = [];
    for (let times = 0; times < 5; times++) taken.push(await take(1));
    expect(taken).toEqual([200, 200, 200, 410, 410]);
  });
});

describe('A bundle with a password', () => {
  it('asks for it before its page, its files and its archive', async () => {
    await file('locked', 'a');
    const link = await bundle({ prefix: 'locked', password: 'a long password' });
    for (const query of ['', '?file=prv/a', '?download=1'])
      expect(codeOf(await server.send(link.path + query, { door: 'files' }))).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
    const given = await givePassword(server, link, 'a long password');
    const cookie = given.headers.get('set-cookie')!.split(';')[0]!;
    expect((await openLink(server, link, { Cookie: cookie })).headers.get('content-type')).toBe('application/zip');
  });
});

describe('Bundles and their owner', () => {
  it('are listed with their files, changed and revoked', async () => {
    const objects = [await file('own', 'a', { filename: 'a.png' }), await file('own', 'b', { filename: 'b.png' })];
    const link = await bundle({ objects });
    const list = async (query = '') =>
      (await server.send(`/v1/shares/files?id=${link.id}${query}`, { credential: account.credential })).json().response;
    const all = await list();
    expect(all).toMatchObject({ total: 2, size: 6000 });
    expect(all.files.map((one: { name: string }) => one.name)).toEqual(['a.png', 'b.png']);
    const first = await list('&limit=1');
    expect(first.files).toHaveLength(1);
    const second = await list(`&limit=1&cursor=${first.continuationToken}`);
    expect(second.files[0]).toEqual(all.files[1]);
    expect(second.continuationToken).toBeUndefined();
    const change = { id: link.id, expires_in: 600, max_downloads: 5, title: 'New' };
    const { credential } = account;
    const changed = await server.send('/v1/shares', { method: 'PATCH', credential, body: JSON.stringify(change) });
    expect(changed.json().response).toMatchObject({ kind: 'files', files: 2, max_downloads: 5, title: 'New' });
    const revoked = await server.send('/v1/shares', {
      method: 'DELETE',
      credential,
      body: JSON.stringify({ id: link.id }),
    });
    expect(revoked.status).toBe(200);
    expect(codeOf(await openLink(server, link))).toEqual([404, 'SHARE_NOT_FOUND']);
    expect(codeOf(await server.send(`/v1/shares/files?id=${link.id}`, { credential }))).toEqual([
      404,
      'SHARE_NOT_FOUND',
    ]);
  });

  it('hold to the prefixes of a key', async () => {
    const inside = [await file('team/a', 'x'), await file('team/b', 'y')];
    const outside = await file('elsewhere', 'y');
    const credential = await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['team'] });
    const code = async (body: unknown) => codeOf(await createShare(server, { credential }, body));
    expect(await code({ objects: [...inside, outside] })).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    for (const prefix of ['elsewhere', 'tea', 'teamwork'])
      expect(await code({ prefix })).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    expect(await code({ objects: inside })).toEqual([201, undefined]);
    expect(await code({ prefix: 'team' })).toEqual([201, undefined]);
    expect(await code({ prefix: 'team/a' })).toEqual([201, undefined]);
    const other = await bundle({ prefix: 'elsewhere' });
    const asked = (path: string, method = 'GET', body?: unknown) =>
      server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });
    expect((await listShares(server, { credential })).map(({ kind }) => kind).toSorted()).toEqual([
      ...['files', 'folder', 'folder'],
    ]);
    expect(codeOf(await asked(`/v1/shares/files?id=${other.id}`))).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    expect(codeOf(await asked('/v1/shares', 'DELETE', { id: other.id }))).toEqual([403, 'PREFIX_NOT_ALLOWED']);
  });

  it('tell their events as links to files do, with the folder in place of the file', async () => {
    const own = await server.account('pro');
    const { credential } = own;
    await upload(server, own, { query: { private: 'true', prefix: 'told' } });
    const { id } = (await createShare(server, own, { prefix: 'told', max_downloads: 1 })).json().response;
    await openLink(server, { path: `/s/${id}` }, html);
    await pressDownload(server, { path: `/s/${id}` });
    await server.send('/v1/shares', { method: 'DELETE', credential, body: JSON.stringify({ id }) });
    const told = async (): Promise<any[]> =>
      (await server.send('/v1/events', { credential }))
        .json()
        .response.events.filter(({ type }: { type: string }) => type.startsWith('share.'));
    await expect
      .poll(async () => (await told()).map(({ type }) => type))
      .toEqual([
        ...['share.created', 'share.visited', 'share.visited', 'share.downloaded', 'share.spent', 'share.ended'],
      ]);
    for (const { data } of await told()) expect(data.object).toEqual({ id: `prv/${own.id}/told/` });
  });

  it('look unknown to other accounts', async () => {
    const object = await file('mine', 'a');
    const link = await bundle({ objects: [object] });
    const stranger = await server.account('pro');
    const { credential } = stranger;
    expect(codeOf(await server.send(`/v1/shares/files?id=${link.id}`, { credential }))).toEqual([
      404,
      'SHARE_NOT_FOUND',
    ]);
    expect(codeOf(await createShare(server, stranger, { objects: [object] }))).toEqual([400, 'INVALID_OBJECT']);
  });
});
