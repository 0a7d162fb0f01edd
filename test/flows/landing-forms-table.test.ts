import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { unpacked } from '#test/support/archives.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import {
  browserAccept,
  codeOf,
  createShare,
  givePassword,
  openLink,
  pressDownload,
  shareFile,
  storedShare,
  type TestShare,
} from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
const bytes = someBytes();
beforeAll(async () => {
  server = await startTestServer({ env: { CUBBY_IMAGE_VARIANTS: 'on' }, rateLimits: false });
  account = await server.account('pro');
  for (const name of ['a', 'b'])
    await upload(server, account, { bytes, query: { prefix: 'folder', name, private: 'true' } });
});
afterAll(() => server.stop());

const html = { Accept: browserAccept };
const password = 'correct horse';
const capped = { max_downloads: 3, landing: true };
const remaining = async (share: TestShare) => (await storedShare(server, share))!.remainingDownloads;

interface Kind {
  make(): Promise<TestShare>;
  /** The ETag of what a download returns. */
  readonly etag?: string;
  /** The fields that open the link. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly hasPassword?: boolean;
  readonly isPublic?: boolean;
}

const bundle = async (body: object): Promise<TestShare> => {
  const { id, url, object } = (await createShare(server, account, { ...capped, ...body })).json().response;
  return { id, url, object, path: `/s/${id}` };
};

/** Every kind of link that has a page and a cap. Bundles have the page unless it is refused. */
const kinds: Readonly<Record<string, Kind>> = {
  'a private file': { make: () => shareFile(server, account, { file: { bytes }, body: capped }) },
  'a public file': {
    make: () => shareFile(server, account, { file: { bytes, query: { private: 'false' } }, body: capped }),
    isPublic: true,
  },
  'a file with a password': {
    make: () => shareFile(server, account, { file: { bytes }, body: { ...capped, password } }),
    hasPassword: true,
  },
  'a folder': { make: () => bundle({ prefix: 'folder', landing: undefined }) },
  'a folder with a password': { make: () => bundle({ prefix: 'folder', password }), hasPassword: true },
  'one file of a list': {
    make: async () => {
      const made = await upload(server, account, { bytes, query: { private: 'true' } });
      return bundle({ objects: [made.json().response.id], landing: undefined });
    },
    fields: { file: '1' },
  },
};

/** Everything that a program may ask of a link, short of the form. */
const questions: Readonly<Record<string, { readonly query?: string; readonly headers?: Record<string, string> }>> = {
  'without Accept': {},
  'as curl': { headers: { 'User-Agent': 'curl/8.5.0', Accept: '*/*' } },
  'as a browser': { headers: html },
  'as JSON': { headers: { Accept: 'application/json' } },
  'as the type of the file': { headers: { Accept: 'image/png' } },
  'as octets': { headers: { Accept: 'application/octet-stream' } },
  'the download': { query: '?download=1', headers: html },
  'the download as curl': { query: '?download=1' },
  'one file of a bundle': { query: '?file=1', headers: html },
  'one file of a folder': { query: '?file=prv/a.png' },
  'the preview': { query: '?preview=1' },
  'another page': { query: '?page=2', headers: html },
  'a variant': { query: '?w=100' },
  'the whole range': { headers: { Range: 'bytes=0-' } },
  'the first byte': { headers: { ...html, Range: 'bytes=0-0' } },
  'the end': { query: '?download=1', headers: { Range: 'bytes=-1' } },
  'a range of one file': { query: '?file=1', headers: { Range: 'bytes=5-' } },
  'two ranges': { headers: { Range: 'bytes=0-1,5-6' } },
  'a range behind the end': { headers: { Range: 'bytes=99999999-' } },
  'a range with If-Range': { headers: { Range: 'bytes=1-', 'If-Range': '"other"' } },
  'if it changed': { headers: { 'If-None-Match': '"other"', 'If-Modified-Since': new Date(0).toUTCString() } },
  'if there is one': { headers: { 'If-Match': '*' } },
  'with a condition that fails': { headers: { 'If-Match': '"other"', 'If-None-Match': '*' } },
  'as a prefetch': { headers: { ...html, 'Sec-Purpose': 'prefetch;prerender' } },
  'as another method': { headers: { 'X-HTTP-Method-Override': 'POST' } },
  'from another site': { headers: { ...html, Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' } },
  'as a scanner': { headers: { ...html, 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0.0.0' } },
};

/** Forms that are not the one of the page, with the code that refuses each. */
const forms: Readonly<Record<string, { readonly body?: string; readonly headers?: Record<string, string> }>> = {
  'without a field': { body: '' },
  'with another field': { body: 'open=1' },
  'with another value': { body: 'download=0' },
  'with an empty file': { body: 'file=' },
  'as JSON': { body: '{"download":"1"}', headers: { 'Content-Type': 'application/json' } },
  'of another origin': { body: 'download=1', headers: { Origin: 'https://mail.example' } },
  'of another site': { body: 'file=1', headers: { 'Sec-Fetch-Site': 'cross-site' } },
  'of a link-preview robot': { body: 'download=1', headers: { 'User-Agent': 'Slackbot-LinkExpanding 1.0' } },
};

/** Returns the headers of a browser that knows the password of the link. */
async function visitor(share: TestShare, { hasPassword }: Kind): Promise<Record<string, string>> {
  if (!hasPassword) return {};
  return { Cookie: (await givePassword(server, share, password)).headers.get('set-cookie')!.split(';')[0]! };
}

/** Presses a button of the page, as a browser does. */
function press(share: TestShare, page: TestAnswer, headers: object, { fields }: Kind): Promise<TestAnswer> {
  const markup = page.body.toString();
  const [, action] = /<form method="post" action="([^"]*)"/.exec(markup)!;
  const [name, value] = Object.entries(fields ?? { download: '1' })[0]!;
  expect(markup).toContain(`name="${name}" value="${value}"`);
  const path = new URL(action!, share.url).href.slice(new URL(share.url).origin.length);
  const own = { ...html, ...headers, Origin: 'null', 'Sec-Fetch-Site': 'same-origin' };
  return server.send(path, {
    door: 'files',
    method: 'POST',
    headers: own,
    body: new URLSearchParams({ [name]: value }),
  });
}

describe.each(Object.entries(kinds))('a link with a page and a cap to %s', (_, kind) => {
  it('gives the page to every question, and spends nothing', async () => {
    const share = await kind.make();
    const known = await visitor(share, kind);
    for (const method of ['GET', 'HEAD'])
      for (const [question, { query = '', headers }] of Object.entries(questions)) {
        const answer = await openLink(server, { path: share.path + query }, { ...headers, ...known }, method);
        const got = [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')];
        expect([method, question, ...got, await remaining(share)]).toEqual([
          ...[method, question, 200, 'text/html; charset=utf-8', null, 3],
        ]);
      }
  });

  it('spends nothing for another form or method', async () => {
    const share = await kind.make();
    const known = await visitor(share, kind);
    const type = 'application/x-www-form-urlencoded';
    for (const [form, { body, headers }] of Object.entries(forms)) {
      const sent = { 'Content-Type': type, ...headers, ...known };
      const answer = await server.send(share.path, { door: 'files', method: 'POST', headers: sent, body: body! });
      const isCard = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
      expect([form, answer.status >= 400 || isCard, await remaining(share)]).toEqual([form, true, 3]);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) await openLink(server, share, known, method);
    expect(await remaining(share)).toBe(3);
  });

  it('opens with the button of its page, which spends one download', async () => {
    const share = await kind.make();
    const known = await visitor(share, kind);
    const page = await openLink(server, share, { ...html, ...known });
    const opened = await press(share, page, known, kind);
    expect(await remaining(share)).toBe(2);
    if (kind.isPublic) {
      expect([opened.status, opened.headers.get('location')]).toEqual([303, expect.stringContaining('http')]);
      const { origin } = new URL(opened.headers.get('location')!);
      expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${origin};`);
      return;
    }
    expect([opened.status, opened.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^att/)]);
    const isArchive = opened.headers.get('content-type') === 'application/zip';
    if (isArchive) expect((await unpacked(opened.body)).size).toBe(2);
    else expect(opened.body.equals(bytes)).toBe(true);
    // The file is still no answer to a question.
    for (const query of ['', '?download=1', '?file=1', '?file=prv/a.png'])
      expect((await openLink(server, { path: share.path + query }, known)).headers.get('content-type')).toMatch(/html/);
    expect(await remaining(share)).toBe(2);
  });

  it('goes on with a download that broke off, and spends no other one', async () => {
    if (kind.isPublic) return;
    const share = await kind.make();
    const known = { ...(await visitor(share, kind)), 'User-Agent': 'person/1.0' };
    const opened = await pressDownload(server, share, known, kind.fields);
    const query = kind.fields ? '?file=1' : '';
    const rest = { Range: 'bytes=1000-', 'If-Range': opened.headers.get('etag')! };
    const part = await openLink(server, { path: share.path + query }, { ...known, ...rest });
    expect([part.status, part.body.equals(opened.body.subarray(1000))]).toEqual([206, true]);
    const behind = await openLink(server, { path: share.path + query }, { ...known, Range: 'bytes=99999999-' });
    expect(behind.status).toBe(416);
    // The rest of the byte budget does not cover all of it once more.
    const isPage = async (headers: Record<string, string>) =>
      (await openLink(server, { path: share.path + query }, { ...known, ...headers })).headers.get('content-type')!;
    expect(await isPage({ Range: 'bytes=0-' })).toMatch(/html/);
    expect(await isPage({ ...rest, 'User-Agent': 'other/1.0' })).toMatch(/html/);
    expect(await remaining(share)).toBe(2);
    server.clock.advance(15 * 60_000);
    expect(await isPage(rest)).toMatch(/html/);
    expect(await remaining(share)).toBe(2);
  });
});

describe('the button of a page', () => {
  it('is pressed no more often than the cap says, also at once', async () => {
    const share = await shareFile(server, account, { file: { bytes }, body: capped });
    const answers = await Promise.all(Array.from({ length: 12 }, () => pressDownload(server, share)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 410).length]).toEqual([
      3, 9,
    ]);
    expect(await remaining(share)).toBe(0);
  });

  it('tells of a used up link in words, however often it is pressed', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const own = await limited.account('pro');
    const share = await shareFile(limited, own, { body: { max_downloads: 1, landing: true } });
    expect((await pressDownload(limited, share)).status).toBe(200);
    const statuses = [];
    for (let time = 0; time < 6; time++) statuses.push((await pressDownload(limited, share, html)).status);
    expect(statuses).toEqual(Array(6).fill(410));
    expect(codeOf(await pressDownload(limited, share))).toEqual([410, 'SHARE_EXHAUSTED']);
    limited.clock.advance(86_400_000);
    for (let time = 0; time < 6; time++)
      expect(codeOf(await pressDownload(limited, share))).toEqual([410, 'SHARE_EXPIRED']);
  });

  it('opens a link with a password in one step for a program, and a wrong password spends nothing', async () => {
    const share = await shareFile(server, account, { file: { bytes }, body: { ...capped, password } });
    const both = (given: string) => pressDownload(server, share, {}, { password: given, download: '1' });
    expect(codeOf(await pressDownload(server, share))).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
    const wrong = await both('wrong horse');
    expect([...codeOf(wrong), wrong.headers.get('set-cookie')]).toEqual([401, 'SHARE_PASSWORD_REQUIRED', null]);
    expect(await remaining(share)).toBe(3);
    const right = await both(password);
    expect([right.status, right.body.equals(bytes), await remaining(share)]).toEqual([200, true, 2]);
    const known = { Cookie: right.headers.get('set-cookie')!.split(';')[0]! };
    expect((await openLink(server, share, { ...known, Range: 'bytes=1000-' })).status).toBe(206);
  });

  it('serves the files of a bundle one by one as one download, also the last one', async () => {
    const share = await bundle({ prefix: 'folder', max_downloads: 1 });
    const buttons = async () => {
      const page = await openLink(server, share, html);
      return [...page.body.toString().matchAll(/ name="(\w+)" value="([^"]+)"/g)].map(([, name, value]) => [
        name,
        value,
      ]);
    };
    const [all, ...files] = await buttons();
    expect([all, files.length]).toEqual([['download', '1'], 2]);
    for (const [name, value] of files)
      expect((await pressDownload(server, share, {}, { [name!]: value! })).body.equals(bytes)).toBe(true);
    expect(await buttons()).toEqual(files);
    expect((await pressDownload(server, share)).status).toBe(410);
  });

  it('also opens links that need no button', async () => {
    for (const body of [{}, { landing: true }, { max_downloads: 2 }]) {
      const share = await shareFile(server, account, { file: { bytes }, body });
      expect((await pressDownload(server, share)).body.equals(bytes)).toBe(true);
      // Such a link answers a program with the file, as before.
      expect((await openLink(server, share)).body.equals(bytes)).toBe(true);
      expect(await remaining(share)).toBe(body.max_downloads === undefined ? null : 0);
    }
  });

  it('ends with its link', async () => {
    const expired = await shareFile(server, account, { body: { ...capped, expires_in: 60 } });
    server.clock.advance(60_000);
    expect(codeOf(await pressDownload(server, expired))).toEqual([410, 'SHARE_EXPIRED']);
    expect(codeOf(await pressDownload(server, { path: '/s/nosuchlinknosuchlink' }))).toEqual([404, 'SHARE_NOT_FOUND']);
    const later = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 3 } });
    const { credential } = account;
    await server.send('/v1/shares', {
      method: 'PATCH',
      credential,
      body: JSON.stringify({ id: later.id, landing: true }),
    });
    expect((await openLink(server, later)).headers.get('content-type')).toMatch(/html/);
  });

  it('tells the owner the same events as another download', async () => {
    const own = await server.account('pro');
    const share = await shareFile(server, own, { body: { max_downloads: 1, landing: true } });
    await openLink(server, share);
    await pressDownload(server, share);
    const told = async () =>
      (await server.send('/v1/events', { credential: own.credential }))
        .json()
        .response.events.map(({ type }: { type: string }) => type)
        .filter((type: string) => type.startsWith('share.'));
    const all = ['share.created', 'share.visited', 'share.visited', 'share.downloaded', 'share.spent', 'share.ended'];
    await expect.poll(told).toEqual(all);
  });
});
