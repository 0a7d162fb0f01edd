import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import {
  codeOf,
  createShare,
  hashOf,
  listShares,
  openLink,
  remainingOf,
  shareFile,
  shareObject,
  storedShare,
  type TestShare,
} from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('pro');
});
afterAll(() => server.stop());

async function changed(body: Readonly<Record<string, unknown>>): Promise<any> {
  return (
    await server.send('/v1/objects', { method: 'PATCH', credential: account.credential, body: JSON.stringify(body) })
  ).json().response.results[0];
}

describe('createShare()', () => {
  it('returns a link to a private file, which serves it as an attachment under its original name', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes, filename: 'Mietvertrag für Ä.pdf' } });
    const answer = await openLink(server, share);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(bytes)).toBe(true);
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Mietvertrag%20f%C3%BCr%20%C3%84.pdf");
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(share.id).toMatch(/^[a-z2-7]{26}$/);
  });

  it('warns about a public file, whose link redirects to its public URL', async () => {
    const uploaded = (await upload(server, account, { query: { name: 'logo' } })).json().response;
    const created = (await createShare(server, account, { object: uploaded.id, max_downloads: 1 })).json().response;
    expect(created).toMatchObject({
      object_is_public: true,
      max_downloads: 1,
      password: false,
      landing: false,
      message: expect.stringMatching(/public/),
    });
    const answer = await server.send(`/s/${created.id}`, { door: 'files' });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      302,
      uploaded.url,
      'no-store',
    ]);
    const open = async (headers = {}) => codeOf(await server.send(`/s/${created.id}`, { door: 'files', headers }));
    expect(await open()).toEqual([410, 'SHARE_EXHAUSTED']);
    // The rest of the allowance is one more file. This range uses all of it but one byte.
    expect(await open({ Range: 'bytes=1-' })).toEqual([302, undefined]);
    expect(await open({ Range: 'bytes=1-' })).toEqual([410, 'SHARE_EXHAUSTED']);
  });

  it('spends a download of a public file for a conditional request too, as a redirect ignores conditions', async () => {
    const { id } = (await upload(server, account)).json().response;
    const share = await shareObject(server, account, id, { max_downloads: 2 });
    expect((await openLink(server, share, { 'If-None-Match': '*' })).status).toBe(302);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('defaults to a day, no cap, no password and no landing page', async () => {
    const { id } = (await upload(server, account, { query: { private: 'true' } })).json().response;
    const created = (await createShare(server, account, { object: id })).json().response;
    expect(created).toEqual({
      id: created.id,
      url: `${server.running.urls.files}/s/${created.id}`,
      object: id,
      kind: 'file',
      expires_at: new Date(server.clock.now() + 86_400_000).toISOString(),
      max_downloads: null,
      password: false,
      landing: false,
      object_is_public: false,
    });
  });

  it("returns the file's expiry if it comes first, as the list does, even after one with a later expiry", async () => {
    const own = await startTestServer();
    const owner = await own.account();
    const uploading = { query: { name: 'passing', expire: '7d', security_hash: 'false' } };
    const { id, expires_at: fileEnds } = (await upload(own, owner, uploading)).json().response;
    const created = (await createShare(own, owner, { object: id, expires_in: 14 * 86_400 })).json().response;
    const day = 86_400_000;
    const endAt = new Date(own.clock.now() + 7 * day).toISOString();
    expect([created.expires_at, (await listShares(own, owner))[0].expires_at, fileEnds ?? endAt]).toEqual([
      endAt,
      endAt,
      endAt,
    ]);
    const short = (await createShare(own, owner, { object: id, expires_in: 86_400 })).json().response;
    expect(short.expires_at).toBe(new Date(own.clock.now() + day).toISOString());
    own.clock.advance(5 * day);
    expect((await upload(own, owner, uploading)).json().response).toMatchObject({ id, replaced: true });
    const later = new Date(own.clock.now() + 7 * day).toISOString();
    expect((await listShares(own, owner)).map(({ expires_at: at }) => at)).toEqual([later]);
    own.clock.advance(7 * day - 1);
    expect((await openLink(own, { path: `/s/${created.id}` })).status).toBe(302);
    own.clock.advance(1);
    expect(codeOf(await openLink(own, { path: `/s/${created.id}` }))).toEqual([404, 'SHARE_NOT_FOUND']);
    expect(await listShares(own, owner)).toEqual([]);
  });

  it("and deleteShare() appear in the activity, without the link's id", async () => {
    const own = await server.account('pro');
    const share = await shareFile(server, own);
    await server.send('/v1/shares', {
      method: 'DELETE',
      credential: own.credential,
      body: JSON.stringify({ id: share.id }),
    });
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
    [
      'when it is revoked',
      [404, 'SHARE_NOT_FOUND'],
      ({ id }) =>
        server.send('/v1/shares', { method: 'DELETE', credential: account.credential, body: JSON.stringify({ id }) }),
    ],
    [
      'when its file is deleted',
      [404, 'SHARE_NOT_FOUND'],
      ({ object }) =>
        server.send('/v1/objects', {
          method: 'DELETE',
          credential: account.credential,
          body: JSON.stringify({ object }),
        }),
    ],
    ['when its file changes visibility', [404, 'SHARE_NOT_FOUND'], ({ object }) => changed({ object, private: false })],
    [
      'when its file changes visibility and back',
      [404, 'SHARE_NOT_FOUND'],
      async ({ object }) => changed({ object: (await changed({ object, private: false })).id, private: true }),
    ],
    [
      'when its file is moved',
      [404, 'SHARE_NOT_FOUND'],
      ({ object }) =>
        server.send('/v1/objects/copy', {
          method: 'POST',
          credential: account.credential,
          body: JSON.stringify({ source: object, move: true, destination: { name: 'elsewhere' } }),
        }),
    ],
  ];
  it.each(ends)('%s, without spending a download, and leaves the list', async (_, [status, code], end) => {
    const share = await shareFile(server, account, { body: { max_downloads: 2 } });
    expect(await remainingOf(server, account, share)).toBe(2);
    await end(share);
    expect(codeOf(await openLink(server, share))).toEqual([status, code]);
    expect(await remainingOf(server, account, share)).toBe(undefined);
    const row = await storedShare(server, share);
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
    // Long after its end the link is unknown.
    own.clock.advance(31 * 86_400_000);
    await own.running.app.jobs.runNow();
    expect(await storedShare(own, share)).toBe(undefined);
  });

  it('when its downloads are spent, and is listed until then', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    expect((await openLink(server, share)).status).toBe(200);
    expect(codeOf(await openLink(server, share))).toEqual([410, 'SHARE_EXHAUSTED']);
    expect(await remainingOf(server, account, share)).toBe(0);
  });

  it('not when the headers of its file change, and stays listed', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 2 } });
    expect(await changed({ object: share.object, metadata: { a: 'b' } })).toMatchObject({ ok: true });
    expect(await remainingOf(server, account, share)).toBe(2);
    expect((await openLink(server, share)).status).toBe(200);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('not when its file is overwritten in place, nor when the key that made it ends', async () => {
    const own = await server.account('pro');
    const writer = await server.key(own, { scopes: ['blob:write'] });
    const first = (await upload(server, own, { query: { name: 'report', security_hash: 'false' } })).json().response;
    const share = await shareObject(server, { ...own, credential: writer }, first.id);
    const again = await upload(server, own, { query: { name: 'report', security_hash: 'false' } });
    expect(again.json().response.replaced).toBe(true);
    const keys = (await server.send('/v1/account/keys', { credential: own.credential })).json().response.keys;
    await server.send(`/v1/account/keys/${keys.find((key: any) => key.name === 'test key').id}`, {
      method: 'DELETE',
      credential: own.credential,
    });
    expect((await openLink(server, share)).status).toBe(302);
  });
});

describe('a capped link', () => {
  const spendsNothing: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, number]> = [
    ['HEAD', {}, 'HEAD', 200],
    [
      'a link-preview robot',
      { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
      'GET',
      200,
    ],
    ['a range outside of the file', { Range: 'bytes=3000-' }, 'GET', 416],
    ['a condition that does not hold', { 'If-Match': '"other"' }, 'GET', 412],
  ];
  it.each(spendsNothing)('spends nothing for %s', async (_, headers, method, status) => {
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    expect((await openLink(server, share, headers, method)).status).toBe(status);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('spends nothing for a file that the client already has', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 2 } });
    const etag = (await openLink(server, share)).headers.get('etag')!;
    expect((await openLink(server, share, { 'If-None-Match': etag })).status).toBe(304);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('spends one download for several and repeated ranges, and another once twice the file was sent', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 2 } });
    for (const [again, remaining] of [
      [0, 1],
      [1, 1],
      [2, 0],
      [3, 0],
    ] as const) {
      const parts = [];
      for (const range of ['0-999', '2000-2999', '1000-1999'])
        parts.push(await openLink(server, share, { Range: `bytes=${range}` }));
      expect(parts.map(({ status }) => status)).toEqual([206, 206, 206]);
      expect([again, await remainingOf(server, account, share)]).toEqual([again, remaining]);
    }
    expect(codeOf(await openLink(server, share, { Range: 'bytes=0-999' }))).toEqual([410, 'SHARE_EXHAUSTED']);
  });

  it.each([
    ['another user agent', { 'User-Agent': 'other/1.0' }, async () => {}],
    ['another version of the file', {}, async (share: TestShare) => void (await changedBytes(share))],
    ['a quarter of an hour later', {}, async () => server.clock.advance(15 * 60_000)],
  ] as const)('spends another download for %s', async (_, headers, before) => {
    const share = await shareFile(server, account, {
      file: { query: { name: `v${Math.random()}`.replace('.', '') } },
      body: { max_downloads: 1 },
    });
    expect((await openLink(server, share, { Range: 'bytes=0-999', 'User-Agent': 'first/1.0' })).status).toBe(206);
    await before(share);
    const status = (await openLink(server, share, { Range: 'bytes=1000-', 'User-Agent': 'first/1.0', ...headers }))
      .status;
    expect(status).toBe(410);
  });

  it('spends one download for an empty file', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    await emptied(share);
    const answer = await openLink(server, share);
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
    expect(codeOf(await openLink(server, share))).toEqual([410, 'SHARE_EXHAUSTED']);
  });

  /** Replaces the file with an empty one, as S3 clients store them. */
  async function emptied(share: TestShare): Promise<void> {
    await server.running.app.stores.metadata.atomically(async (tx) => {
      const object = (await tx.objects.find((await tx.shares.find(hashOf(server, share)))!.object))!;
      await tx.contents.add({
        id: `${object.contentId}e`,
        blobs: [{ blobId: `${object.contentId}e`, sizeBytes: 0, inline: new Uint8Array() }],
        ...{ sizeBytes: 0, crc32: 0 },
      });
      await tx.objects.put({ ...object, contentId: `${object.contentId}e`, sizeBytes: 0 });
      await tx.contents.release(object.contentId);
    });
  }

  async function changedBytes(link: TestShare): Promise<void> {
    await server.running.app.stores.metadata.atomically(async (tx) => {
      const share = (await tx.shares.find(hashOf(server, link)))!;
      const object = (await tx.objects.find(share.object))!;
      const content = (await tx.contents.find(object.contentId))!;
      await tx.contents.add({
        ...content,
        ...{ id: `${content.id}x`, crc32: 0 },
        blobs: content.blobs.map((blob) => ({ ...blob, blobId: `${blob.blobId}x` })),
      });
      await tx.objects.put({ ...object, contentId: `${content.id}x` });
      await tx.contents.release(object.contentId);
    });
  }
});

describe('a key restricted to prefixes', () => {
  it('makes, sees and revokes only links to files within them', async () => {
    const own = await server.account('pro');
    const inside = (await upload(server, own, { query: { prefix: 'invoices', private: 'true' } })).json().response.id;
    const outside = (await upload(server, own, { query: { prefix: 'photos', private: 'true' } })).json().response.id;
    const theirs = await shareObject(server, own, outside);
    const credential = await server.key(own, { scopes: ['blob:read', 'blob:write'], prefixes: ['invoices'] });
    expect(codeOf(await createShare(server, { credential }, { object: outside }))).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    const ours = await shareObject(server, { ...own, credential }, inside);
    expect((await listShares(server, { credential })).map(({ id }) => id)).toEqual([ours.id]);
    const revoke = (id: string) =>
      server.send('/v1/shares', { method: 'DELETE', credential, body: JSON.stringify({ id }) });
    expect(codeOf(await revoke(theirs.id))).toEqual([403, 'PREFIX_NOT_ALLOWED']);
    expect((await revoke(ours.id)).status).toBe(200);
    expect(codeOf(await revoke(ours.id))).toEqual([404, 'SHARE_NOT_FOUND']);
  });
});
