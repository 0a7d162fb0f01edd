import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import {
  browserAccept,
  codeOf,
  givePassword,
  openLink,
  pressDownload,
  remainingOf,
  shareFile,
} from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('pro');
});
afterAll(() => server.stop());

const html = { Accept: browserAccept };

describe('the pages of a link', () => {
  it('are a landing page that leads to the file', async () => {
    const share = await shareFile(server, account, { file: { filename: 'holiday.png' }, body: { landing: true } });
    const page = await openLink(server, share, html);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body.toString()).toContain('holiday.png');
    expect(
      (await server.send(`${share.path}?download=1`, { door: 'files', headers: html })).headers.get('content-type'),
    ).toBe('image/png');
    expect((await openLink(server, share)).headers.get('content-type')).toBe('image/png');
    const preview = await server.send(`${share.path}?preview=1`, { door: 'files', headers: html });
    expect([preview.headers.get('content-type'), preview.headers.get('content-disposition')?.split(';')[0]]).toEqual([
      'image/png',
      'inline',
    ]);
  });

  it("show the file's expiry if it is before the link's", async () => {
    const share = await shareFile(server, account, {
      file: { query: { expire: '7d', name: 'passing' } },
      body: { landing: true, expires_in: 2_592_000 },
    });
    const page = (await openLink(server, share, html)).body.toString();
    expect(page).toContain(`datetime="${new Date(server.clock.now() + 7 * 86_400_000).toISOString()}"`);
    expect(page).not.toContain('in 30 days');
  });

  it('and the file are hidden from search engines', async () => {
    const share = await shareFile(server, account, { body: { landing: true } });
    const answers = [
      await openLink(server, share, html),
      await openLink(server, share),
      await openLink(server, { path: '/s/nosuchlinknosuchlink' }, html),
    ];
    expect(answers.map(({ headers }) => [headers.get('x-robots-tag'), headers.get('referrer-policy')])).toEqual(
      Array(3).fill(['noindex', 'no-referrer']),
    );
  });

  it('have no preview with a cap, because a preview is a download', async () => {
    const share = await shareFile(server, account, { file: { filename: 'holiday.png' }, body: { max_downloads: 1 } });
    const answer = await server.send(`${share.path}?preview=1`, { door: 'files', headers: html });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await remainingOf(server, account, share)).toBe(0);
  });

  it('exist for ended links', async () => {
    const gone = await openLink(server, { path: '/s/nosuchlinknosuchlink' }, html);
    expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const share = await shareFile(server, account, { body: { max_downloads: 1 } });
    await openLink(server, share, html);
    const over = await openLink(server, share, html);
    expect([over.status, over.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
  });

  it('include an error page for a form that is too long', async () => {
    const long = await givePassword(server, await shareFile(server, account), 'a'.repeat(1_048_576), {
      ...html,
      'Accept-Language': 'pt',
    });
    expect([long.status, long.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  });

  it('lead to the file from an in-app browser of an app that also sends robots', async () => {
    const share = await shareFile(server, account, { body: { max_downloads: 1, landing: true } });
    const inApp = {
      ...html,
      'User-Agent':
        'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Rocket.Chat/4.1.2 ' +
        'Chrome/124.0.6367.243 Safari/537.36',
    };
    expect((await openLink(server, share, inApp)).body.toString()).toContain('name="download"');
    expect((await pressDownload(server, share, inApp)).headers.get('content-type')).toBe('image/png');
    expect(await remainingOf(server, account, share)).toBe(0);
  });

  it('show a robot the name and the size, but nothing of a link with a password', async () => {
    const robot = { 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' };
    const open = await shareFile(server, account, { file: { filename: 'holiday.png' } });
    expect((await openLink(server, open, robot)).body.toString()).toContain('holiday.png');
    const locked = await shareFile(server, account, {
      file: { filename: 'holiday.png' },
      body: { password: 'correct horse' },
    });
    const card = await openLink(server, locked, robot);
    expect(card.status).toBe(200);
    expect(card.body.toString()).not.toMatch(/holiday|2\.9|png/);
  });
});

describe('a link with a password', () => {
  const password = 'pässword mit Ümlaut';

  it('serves its file only after the password', async () => {
    const bytes = someBytes();
    const share = await shareFile(server, account, {
      file: { bytes, filename: 'secret.png' },
      body: { password, max_downloads: 1, landing: true },
    });
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
    expect(cookie).toMatch(
      new RegExp(`^cubby_share=[\\w.-]+; Path=/s/${share.id}; Max-Age=3600; HttpOnly; SameSite=Lax$`),
    );
    const pass = { Cookie: cookie.split(';')[0]! };
    expect(await remainingOf(server, account, share)).toBe(1);
    const other = await shareFile(server, account, { body: { password } });
    expect((await openLink(server, other, pass)).status).toBe(401);
    expect((await openLink(server, share, { Cookie: `${pass.Cookie}x` })).status).toBe(401);
    const file = await pressDownload(server, share, pass);
    expect(file.body.equals(bytes)).toBe(true);
    expect((await pressDownload(server, share, pass)).status).toBe(410);
  });

  it('asks again after an hour, and not after it is revoked', async () => {
    const share = await shareFile(server, account, { body: { password } });
    const pass = { Cookie: (await givePassword(server, share, password)).headers.get('set-cookie')!.split(';')[0]! };
    server.clock.advance(3_600_000 - 1);
    expect((await openLink(server, share, pass)).status).toBe(200);
    server.clock.advance(1);
    expect((await openLink(server, share, pass)).status).toBe(401);
    await server.send('/v1/shares', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ id: share.id }),
    });
    expect((await givePassword(server, share, password)).status).toBe(404);
  });

  it('accepts the longest password also from a keyboard that sends letters and accents separately', async () => {
    const share = await shareFile(server, account, { body: { password: 'é'.repeat(128) } });
    expect((await givePassword(server, share, 'é'.repeat(128).normalize('NFD'))).status).toBe(303);
  });

  it('skips the landing page for a visitor who requests the file itself', async () => {
    const share = await shareFile(server, account, { body: { password, landing: true } });
    const locationOf = async (query: string) =>
      (await givePassword(server, { path: share.path + query }, password)).headers.get('location');
    expect([await locationOf('?download=1'), await locationOf('?download=2'), await locationOf('')]).toEqual([
      `${share.url}?download=1`,
      share.url,
      share.url,
    ]);
  });

  it('ignores passwords if the link has none', async () => {
    const share = await shareFile(server, account);
    const given = await givePassword(server, share, password);
    expect([given.status, given.headers.get('set-cookie')]).toEqual([303, null]);
  });
});
