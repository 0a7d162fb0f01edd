import { describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { createShare, givePassword, openLink, shareObject, type TestShare } from '#test/support/shares.ts';

async function start() {
  const server = await startTestServer();
  const account = await server.account('enterprise');
  const { credential } = account;
  const bytes = someBytes();
  const put = async (name = 'photo', prefix = '') =>
    (await upload(server, account, { bytes, query: { name, private: 'true', ...(prefix && { prefix }) } })).json()
      .response.id as string;
  const share = async (body: Readonly<Record<string, unknown>> = {}) => shareObject(server, account, await put(), body);
  const change = (body: object) =>
    server.send('/v1/shares', { method: 'PATCH', credential, body: JSON.stringify(body) });
  const list = async (query = '') => (await server.send(`/v1/shares?${query}`, { credential })).json().response;
  return { server, account, bytes, put, share, change, list };
}

describe('updateShare()', () => {
  it('extends a link, and shortens it', async () => {
    const { server, share, change, list } = await start();
    const link = await share({ expires_in: 120 });
    const longer = (await change({ id: link.id, expires_in: 86_400 })).json().response;
    expect(Date.parse(longer.expires_at) - server.clock.now()).toBe(86_400_000);
    server.clock.advance(121_000);
    expect((await openLink(server, link)).status).toBe(200);
    expect((await list()).shares).toMatchObject([{ id: link.id, expires_at: longer.expires_at }]);
    await change({ id: link.id, expires_in: 60 });
    server.clock.advance(61_000);
    expect((await openLink(server, link)).status).toBe(410);
    expect((await change({ id: link.id, expires_in: 86_400 })).json().code).toBe('SHARE_NOT_FOUND');
  });

  it('changes the cap, which counts all downloads that the link had', async () => {
    const { server, share, change, list } = await start();
    const link = await share();
    const take = async () => (await openLink(server, link)).status;
    expect([await take(), await take()]).toEqual([200, 200]);
    await expect.poll(async () => (await list()).shares[0].downloads).toBe(2);
    const capped = (await change({ id: link.id, max_downloads: 3 })).json().response;
    expect(capped).toMatchObject({ max_downloads: 3, downloads: 2, remaining_downloads: 1 });
    expect([await take(), await take()]).toEqual([200, 410]);
    expect((await change({ id: link.id, max_downloads: 1 })).json().response).toMatchObject({ remaining_downloads: 0 });
    expect(await take()).toBe(410);
    expect((await change({ id: link.id, max_downloads: 4 })).json().response).toMatchObject({ remaining_downloads: 1 });
    expect([await take(), await take()]).toEqual([200, 410]);
    expect((await change({ id: link.id, max_downloads: null })).json().response).toMatchObject({
      max_downloads: null,
      downloads: 4,
      remaining_downloads: null,
    });
    expect([await take(), await take()]).toEqual([200, 200]);
  });

  it('never exceeds a cap that changes while clients download', async () => {
    const { server, share, change, list } = await start();
    for (let round = 0; round < 20; round++) {
      const link = await share({ max_downloads: 2 });
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 8 }, () => openLink(server, link))),
        change({ id: link.id, max_downloads: 5 }),
      ]);
      const served = answers.filter(({ status }) => status === 200).length;
      expect(served).toBeLessThanOrEqual(5);
      const { downloads, remaining_downloads: left } = (await list()).shares.find(({ id }: any) => id === link.id);
      expect({ downloads, left }).toEqual({ downloads: served, left: 5 - served });
    }
  });

  it('sets, changes and removes a password, and ends visits that used the former one', async () => {
    const { server, share, change } = await start();
    const link = await share();
    await change({ id: link.id, password: 'correct horse' });
    expect((await openLink(server, link)).status).toBe(401);
    const cookie = (await givePassword(server, link, 'correct horse')).headers.get('set-cookie')!.split(';')[0]!;
    expect((await openLink(server, link, { Cookie: cookie })).status).toBe(200);
    await change({ id: link.id, password: 'battery staple' });
    expect((await openLink(server, link, { Cookie: cookie })).status).toBe(401);
    await change({ id: link.id, password: null });
    expect((await openLink(server, link)).status).toBe(200);
  });

  it('shows title and message on the page, as text', async () => {
    const { server, share, change, list } = await start();
    const link = await share({ landing: true });
    const message = 'First line\n<script>alert(1)</script>';
    const changed = (await change({ id: link.id, title: ' Lease for May ', message })).json().response;
    expect(changed).toMatchObject({ title: 'Lease for May', message });
    const { body } = await openLink(server, link, { Accept: 'text/html' });
    expect(body.toString()).toContain('<h1><bdi>Lease for May</bdi>');
    expect(body.toString()).toContain('First line\n&#60;script&#62;alert(1)&#60;/script&#62;');
    await change({ id: link.id, title: null, message: null });
    expect((await list()).shares[0]).not.toHaveProperty('title');
    expect((await openLink(server, link, { Accept: 'text/html' })).body.toString()).toContain('photo');
  });

  it('shows link previews the picture of a file, but none of a file with a password or a cap', async () => {
    const { server, share, change } = await start();
    const robot = { 'User-Agent': 'Slackbot-LinkExpanding 1.0' };
    const link = await share();
    const pictureOf = async (one: TestShare) =>
      /og:image" content="([^"]+)"/.exec((await openLink(server, one, robot)).body.toString())?.[1];
    const picture = await pictureOf(link);
    expect(picture).toBe(`${link.url}?preview=1`);
    const preview = async () =>
      server.send(`${new URL(link.url).pathname}?preview=1`, { door: 'files', headers: robot });
    expect((await preview()).headers.get('content-type')).toBe('image/png');
    await change({ id: link.id, password: 'correct horse' });
    expect(await pictureOf(link)).toBeUndefined();
    expect((await preview()).headers.get('content-type')).toContain('text/html');
    expect(await pictureOf(await share({ max_downloads: 2 }))).toBeUndefined();
  });

  it('changes no link of another account', async () => {
    const { server, share, list } = await start();
    const link = await share();
    const { credential } = await server.account('enterprise');
    const body = JSON.stringify({ id: link.id, max_downloads: 1 });
    const answer = await server.send('/v1/shares', { method: 'PATCH', credential, body });
    expect(answer.json().code).toBe('SHARE_NOT_FOUND');
    expect((await list()).shares[0].max_downloads).toBeNull();
  });
});

describe('listShares()', () => {
  it('lists links page by page, of one file or of one folder', async () => {
    const { server, account, put, list } = await start();
    const [one, two] = [await put('one', 'a'), await put('two', 'b')];
    const ids: string[] = [];
    for (let at = 0; at < 7; at++) {
      ids.unshift((await createShare(server, account, { object: at % 2 ? one : two })).json().response.id);
      server.clock.advance(at % 3 ? 1 : 0);
    }
    const whole = (await list()).shares.map(({ id }: any) => id);
    expect(whole.toSorted()).toEqual(ids.toSorted());
    const found: string[] = [];
    let query = 'limit=2';
    for (let pages = 0; pages < 10; pages++) {
      const page = await list(query);
      expect(page.shares.length).toBeLessThanOrEqual(2);
      found.push(...page.shares.map(({ id }: any) => id));
      if (!page.continuationToken) break;
      query = `limit=2&cursor=${encodeURIComponent(page.continuationToken)}`;
    }
    expect(found).toEqual(whole);
    expect((await list(`object=${encodeURIComponent(one)}`)).shares).toHaveLength(3);
    expect((await list('prefix=b/')).shares).toHaveLength(4);
    const { credential } = await server.account();
    const token = (await list('limit=2')).continuationToken;
    expect((await server.send(`/v1/shares?cursor=${token}`, { credential })).json().code).toBe(
      'INVALID_CONTINUATION_TOKEN',
    );
    expect((await server.send(`/v1/shares?prefix=a&cursor=${token}`, account)).json().code).toBe(
      'INVALID_CONTINUATION_TOKEN',
    );
  });
});
