import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { browserAccept, createShare, givePassword, listShares, openLink, remainingOf, shareFile, shareObject, type TestShare } from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('pro');
});
afterAll(() => server.stop());

const html = { Accept: browserAccept };

/** Each step of it changes how a link is asked about. */
function codeOf(answer: { readonly status: number; json(): any }): [number, string | undefined] {
  return [answer.status, answer.status < 400 ? undefined : answer.json().code];
}

async function changed(body: Readonly<Record<string, unknown>>): Promise<any> {
  return (await server.send('/v1/objects', { method: 'PATCH', credential: account.credential, body: JSON.stringify(body) })).json().response.results[0];
}

describe('createShare()', () => {
  it('answers a link to a private file that gives it, as an attachment under the name that it was uploaded with', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes, filename: 'Mietvertrag für Ä.pdf' } });
    const answer = await openLink(server, share);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(bytes)).toBe(true);
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Mietvertrag%20f%C3%BCr%20%C3%84.pdf");
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(share.id).toMatch(/^[a-z2-7]{26}$/);
  });

  it('warns of a public file, whose link redirects to its public URL', async () => {
    const uploaded = (await upload(server, account, { query: { name: 'logo' } })).json().response;
    const created = (await createShare(server, account, { object: uploaded.id, max_downloads: 1 })).json().response;
    expect(created).toMatchObject({ object_is_public: true, max_downloads: 1, password: false, landing: false, message: expect.stringMatching(/public/) });
    const answer = await server.send(`/s/${created.id}`, { door: 'files' });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([302, uploaded.url, 'no-store']);
    for (const headers of [{}, { Range: 'bytes=1-' }]) {
      expect(codeOf(await server.send(`/s/${created.id}`, { door: 'files', headers }))).toEqual([410, 'SHARE_EXHAUSTED']);
    }
  });

  it('spends a download of a public file also for a condition, which a redirect has none of', async () => {
    const { id } = (await upload(server, account)).json().response;
    const share = await shareObject(server, account, id, { max_downloads: 2 });
    expect((await openLink(server, share, { 'If-None-Match': '*' })).status).toBe(302);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('gives a day, no cap, no password and no landing page when nothing is said', async () => {
    const { id } = (await upload(server, account, { query: { private: 'true' } })).json().response;
    const created = (await createShare(server, account, { object: id })).json().response;
    expect(created).toEqual({
      id: created.id,
      url: `${server.running.urls.files}/s/${created.id}`,
      object: id,
      expires_at: new Date(server.clock.now() + 86_400_000).toISOString(),
      max_downloads: null,
      password: false,
      landing: false,
      object_is_public: false,
    });
  });

  it('and deleteShare() show in the activity, which does not tell what opens the link', async () => {
    const own = await server.account('pro');
    const share = await shareFile(server, own);
    await server.send('/v1/shares', { method: 'DELETE', credential: own.credential, body: JSON.stringify({ id: share.id }) });
    const { activity } = (await server.send('/v1/account/activity', { credential: own.credential })).json().response;
    expect(activity.slice(0, 2)).toMatchObject([
      { type: 'share.revoked', object: share.object, details: {} },
      { type: 'share.created', object: share.object, details: {} },
    ]);
    expect(JSON.stringify(activity)).not.toContain(share.id);
  });
});

describe('a link ends', () => {
  const ends: ReadonlyArray<readonly [string, readonly [number, string], (share: TestShare) => Promise<unknown>]> = [
    ['when it is revoked', [404, 'SHARE_NOT_FOUND'], ({ id }) => server.send('/v1/shares', { method: 'DELETE', credential: account.credential, body: JSON.stringify({ id }) })],
    ['when its file is deleted', [404, 'SHARE_NOT_FOUND'], ({ object }) => server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body: JSON.stringify({ object }) })],
    ['when its file changes visibility', [404, 'SHARE_NOT_FOUND'], ({ object }) => changed({ object, private: false })],
    ['when its file changes visibility and back', [404, 'SHARE_NOT_FOUND'], async ({ object }) => changed({ object: (await changed({ object, private: false })).id, private: true })],
    [
      'when its file is moved',
      [404, 'SHARE_NOT_FOUND'],
      ({ object }) => server.send('/v1/objects/copy', { method: 'POST', credential: account.credential, body: JSON.stringify({ source: object, move: true, destination: { name: 'elsewhere' } }) }),
    ],
  ];
  it.each(ends)('%s, spends no download for it, and leaves the list', async (_, [status, code], end) => {
    const share = await shareFile(server, account, { body: { max_downloads: 2 } });
    expect(await remainingOf(server, account, share)).toBe(2);
    await end(share);
    expect(codeOf(await openLink(server, share))).toEqual([status, code]);
    expect(await remainingOf(server, account, share)).toBe(undefined);
    const row = await server.running.app.stores.metadata.read.shares.find(share.id);
    expect(row!.remainingDownloads).toBe(2);
  });

  it('when its time is over', async () => {
    const own = await startTestServer();
    const owner = await own.account();
    const share = await shareFile(own, owner, { body: { expires_in: 60 } });
    own.clock.advance(59_999);
    expect((await openLink(own, share)).status).toBe(200);
    own.clock.advance(1);
    expect(codeOf(await openLink(own, share))).toEqual([410, 'SHARE_EXPIRED']);
    expect(await listShares(own, owner)).toEqual([]);
    // Long after it has ended it is unknown.
    own.clock.advance(31 * 86_400_000);
    await own.running.app.jobs.runNow();
    expect(await own.running.app.stores.metadata.read.shares.find(share.id)).toBe(undefined);
  });

  it('when its downloads are spent, and stays in the list until then', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    expect((await openLink(server, share)).status).toBe(200);
    expect(codeOf(await openLink(server, share))).toEqual([410, 'SHARE_EXHAUSTED']);
    expect(await remainingOf(server, account, share)).toBe(0);
  });

  it('not when the bytes of its file are written over in place, nor with the key that made it', async () => {
    const own = await server.account('pro');
    const writer = await server.key(own, { scopes: ['blob:write'] });
    const first = (await upload(server, own, { query: { name: 'report', security_hash: 'false' } })).json().response;
    const share = await shareObject(server, { ...own, credential: writer }, first.id);
    const again = await upload(server, own, { query: { name: 'report', security_hash: 'false' } });
    expect(again.json().response.replaced).toBe(true);
    const keys = (await server.send('/v1/account/keys', { credential: own.credential })).json().response.keys;
    await server.send(`/v1/account/keys/${keys.find((key: any) => key.name === 'test key').id}`, { method: 'DELETE', credential: own.credential });
    expect((await openLink(server, share)).status).toBe(302);
  });
});

describe('a capped link', () => {
  const spendsNothing: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, number]> = [
    ['HEAD', {}, 'HEAD', 200],
    ['a link-preview robot', { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }, 'GET', 200],
    ['a range outside of the file', { Range: 'bytes=3000-' }, 'GET', 416],
    ['a condition that does not hold', { 'If-Match': '"other"' }, 'GET', 412],
    ['the landing page', html, 'GET', 200],
  ];
  it.each(spendsNothing)('spends nothing for %s', async (_, headers, method, status) => {
    const share = await shareFile(server, account, { body: { max_downloads: 1, landing: true } });
    expect((await openLink(server, share, headers, method)).status).toBe(status);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('spends nothing for a file that the client has already', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 2 } });
    const etag = (await openLink(server, share)).headers.get('etag')!;
    expect((await openLink(server, share, { 'If-None-Match': etag })).status).toBe(304);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('spends one for a download in several ranges, also when one of them is asked for again, and another one for the first', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 2 } });
    const parts = [];
    for (const range of ['0-999', '2000-2999', '1000-1999']) parts.push(await openLink(server, share, { Range: `bytes=${range}` }));
    expect(parts.map(({ status }) => status)).toEqual([206, 206, 206]);
    expect(await remainingOf(server, account, share)).toBe(1);
    expect((await openLink(server, share, { Range: 'bytes=1000-1999' })).status).toBe(206);
    expect(await remainingOf(server, account, share)).toBe(1);
    expect((await openLink(server, share, { Range: 'bytes=0-999' })).status).toBe(206);
    expect(await remainingOf(server, account, share)).toBe(0);
    expect(codeOf(await openLink(server, share, { Range: 'bytes=0-999' }))).toEqual([410, 'SHARE_EXHAUSTED']);
  });

  it('spends one for a first request without the first byte, and lets it get that one then', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    expect((await openLink(server, share, { Range: 'bytes=1-' })).status).toBe(206);
    expect(await remainingOf(server, account, share)).toBe(0);
    expect((await openLink(server, share, { Range: 'bytes=0-0' })).status).toBe(206);
    expect((await openLink(server, share, { Range: 'bytes=0-0' })).status).toBe(410);
  });

  it.each([
    ['another user agent', { 'User-Agent': 'other/1.0' }, async () => {}],
    ['another version of the file', {}, async (share: TestShare) => void (await changedBytes(share))],
    ['a quarter of an hour later', {}, async () => server.clock.advance(15 * 60_000)],
  ] as const)('spends another one for %s', async (_, headers, before) => {
    const share = await shareFile(server, account, { file: { query: { name: `v${Math.random()}`.replace('.', '') } }, body: { max_downloads: 1 } });
    expect((await openLink(server, share, { Range: 'bytes=0-999', 'User-Agent': 'first/1.0' })).status).toBe(206);
    await before(share);
    const status = (await openLink(server, share, { Range: 'bytes=1000-', 'User-Agent': 'first/1.0', ...headers })).status;
    expect(status).toBe(410);
  });

  it('spends one for an empty file', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    await emptied(share);
    const answer = await openLink(server, share);
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
    expect(codeOf(await openLink(server, share))).toEqual([410, 'SHARE_EXHAUSTED']);
  });

  /** As S3 clients store them. */
  async function emptied({ id }: TestShare): Promise<void> {
    await server.running.app.stores.metadata.atomically(async (tx) => {
      const object = (await tx.objects.find((await tx.shares.find(id))!.object))!;
      await tx.contents.add({ id: `${object.contentId}e`, blobs: [{ blobId: `${object.contentId}e`, sizeBytes: 0, inline: new Uint8Array() }], sizeBytes: 0 });
      await tx.objects.put({ ...object, contentId: `${object.contentId}e`, sizeBytes: 0 });
      await tx.contents.release(object.contentId);
    });
  }

  async function changedBytes({ id }: TestShare): Promise<void> {
    await server.running.app.stores.metadata.atomically(async (tx) => {
      const share = (await tx.shares.find(id))!;
      const object = (await tx.objects.find(share.object))!;
      const content = (await tx.contents.find(object.contentId))!;
      await tx.contents.add({ ...content, id: `${content.id}x`, blobs: content.blobs.map((blob) => ({ ...blob, blobId: `${blob.blobId}x` })) });
      await tx.objects.put({ ...object, contentId: `${content.id}x` });
      await tx.contents.release(object.contentId);
    });
  }
});

describe('the pages of a link', () => {
  it('are the landing page, and the file behind it', async () => {
    const share = await shareFile(server, account, { file: { filename: 'holiday.png' }, body: { landing: true } });
    const page = await openLink(server, share, html);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body.toString()).toContain('holiday.png');
    expect((await server.send(`${share.path}?download=1`, { door: 'files', headers: html })).headers.get('content-type')).toBe('image/png');
    expect((await openLink(server, share)).headers.get('content-type')).toBe('image/png');
    const preview = await server.send(`${share.path}?preview=1`, { door: 'files', headers: html });
    expect([preview.headers.get('content-type'), preview.headers.get('content-disposition')?.split(';')[0]]).toEqual(['image/png', 'inline']);
  });

  it('say when the file goes, where that is before the link ends', async () => {
    const share = await shareFile(server, account, { file: { query: { expire: '7d', name: 'passing' } }, body: { landing: true, expires_in: 2_592_000 } });
    const page = (await openLink(server, share, html)).body.toString();
    expect(page).toContain(`datetime="${new Date(server.clock.now() + 7 * 86_400_000).toISOString()}"`);
    expect(page).not.toContain('in 30 days');
  });

  it('have no preview where there is a cap: it is a download', async () => {
    const share = await shareFile(server, account, { file: { filename: 'holiday.png' }, body: { max_downloads: 1 } });
    const answer = await server.send(`${share.path}?preview=1`, { door: 'files', headers: html });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await remainingOf(server, account, share)).toBe(0);
  });

  it('are there for what has ended', async () => {
    const gone = await openLink(server, { path: '/s/nosuchlinknosuchlink' }, html);
    expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    await openLink(server, share, html);
    const over = await openLink(server, share, html);
    expect([over.status, over.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
  });

  it('are there for a form that is too long', async () => {
    const long = await givePassword(server, await shareFile(server, account), 'a'.repeat(1_048_576), { ...html, 'Accept-Language': 'pt' });
    expect([long.status, long.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  });

  it('lead to the file from a browser within an app that also sends robots', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1, landing: true } });
    const inApp = { ...html, 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Rocket.Chat/4.1.2 Chrome/124.0.6367.243 Safari/537.36' };
    expect((await openLink(server, share, inApp)).body.toString()).toContain('?download=1');
    expect((await openLink(server, { path: `${share.path}?download=1` }, inApp)).headers.get('content-type')).toBe('image/png');
    expect(await remainingOf(server, account, share)).toBe(0);
  });

  it('tell a robot the name and the size, and nothing of a link with a password', async () => {
    const robot = { 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' };
    const open = await shareFile(server, account, { file: { filename: 'holiday.png' } });
    expect((await openLink(server, open, robot)).body.toString()).toContain('holiday.png');
    const locked = await shareFile(server, account, { file: { filename: 'holiday.png' }, body: { password: 'correct horse' } });
    const card = await openLink(server, locked, robot);
    expect(card.status).toBe(200);
    expect(card.body.toString()).not.toMatch(/holiday|2\.9|png/);
  });
});

describe('a link with a password', () => {
  const password = 'pässword mit Ümlaut';

  it('gives its file to whoever has given it, and to nobody else', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes, filename: 'secret.png' }, body: { password, max_downloads: 1, landing: true } });
    const asked = await openLink(server, share, html);
    expect([asked.status, asked.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(asked.body.toString()).not.toContain('secret');
    expect(codeOf(await openLink(server, share))).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
    expect(codeOf(await givePassword(server, share, 'wrong password'))).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
    const wrong = await givePassword(server, share, 'wrong password', html);
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    const right = await givePassword(server, share, password.normalize('NFD'));
    expect([right.status, right.headers.get('location')]).toEqual([303, share.url]);
    const cookie = right.headers.get('set-cookie')!;
    expect(cookie).toMatch(new RegExp(`^cubby_share=[\\w.-]+; Path=/s/${share.id}; Max-Age=3600; HttpOnly; SameSite=Lax$`));
    const pass = { Cookie: cookie.split(';')[0]! };
    expect(await remainingOf(server, account, share)).toBe(1);
    const other = await shareFile(server, account, { body: { password } });
    expect((await openLink(server, other, pass)).status).toBe(401);
    expect((await openLink(server, share, { Cookie: `${pass.Cookie}x` })).status).toBe(401);
    const file = await openLink(server, share, pass);
    expect(file.body.equals(bytes)).toBe(true);
    expect((await openLink(server, share, pass)).status).toBe(410);
  });

  it('asks again after an hour, and never once it is revoked', async () => {
    const share = await shareFile(server, account, { body: { password } });
    const pass = { Cookie: (await givePassword(server, share, password)).headers.get('set-cookie')!.split(';')[0]! };
    server.clock.advance(3_600_000 - 1);
    expect((await openLink(server, share, pass)).status).toBe(200);
    server.clock.advance(1);
    expect((await openLink(server, share, pass)).status).toBe(401);
    await server.send('/v1/shares', { method: 'DELETE', credential: account.credential, body: JSON.stringify({ id: share.id }) });
    expect((await givePassword(server, share, password)).status).toBe(404);
  });

  it('takes the longest password also from a keyboard that sends letters and their accents apart', async () => {
    const share = await shareFile(server, account, { body: { password: 'é'.repeat(128) } });
    expect((await givePassword(server, share, 'é'.repeat(128).normalize('NFD'))).status).toBe(303);
  });

  it('needs none for a link without', async () => {
    const share = await shareFile(server, account);
    const given = await givePassword(server, share, password);
    expect([given.status, given.headers.get('set-cookie')]).toEqual([303, null]);
  });
});

describe('a key restricted to prefixes', () => {
  it('makes, sees and revokes links to files within them alone', async () => {
    const own = await server.account('pro');
    const inside = (await upload(server, own, { query: { prefix: 'invoices', private: 'true' } })).json().response.id;
    const outside = (await upload(server, own, { query: { prefix: 'photos', private: 'true' } })).json().response.id;
    const theirs = await shareObject(server, own, outside);
    const credential = await server.key(own, { scopes: ['blob:read', 'blob:write'], prefixes: ['invoices'] });
    expect(codeOf(await createShare(server, { credential }, { object: outside }))).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    const ours = await shareObject(server, { ...own, credential }, inside);
    expect((await listShares(server, { credential })).map(({ id }) => id)).toEqual([ours.id]);
    const revoke = (id: string) => server.send('/v1/shares', { method: 'DELETE', credential, body: JSON.stringify({ id }) });
    expect(codeOf(await revoke(theirs.id))).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    expect((await revoke(ours.id)).status).toBe(200);
    expect(codeOf(await revoke(ours.id))).toEqual([404, 'SHARE_NOT_FOUND']);
  });
});
