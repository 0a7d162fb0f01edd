import { createHmac } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { texts, type FieldCases } from './cases.ts';
import { smallest } from './multipart.ts';
import { rawSend } from './raw-request.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let other: TestAccount;
let id: string;
/** The token of a valid link. */
let token: string;

beforeAll(async () => {
  other = await watched.server.account();
  id = (await upload(watched.server, watched.account, { bytes: smallest, query: { private: 'true' } })).json().response
    .id;
  token = tokenOf((await link(`object=${id}&redirect=false`)).json().response.url);
});

const tokenOf = (url: string) => new URL(url).pathname.replace('/d/', '');

function link(query: string) {
  return rawSend(watched.server, { path: `/v1/objects/download?${query}`, credential: watched.account.credential });
}

const filename: Pick<FieldCases, 'bad' | 'good'> = {
  bad: [
    // This field drops a NUL beside other characters.
    ['is a NUL', 'filename=%00'],
    ['is an invalid UTF-8 byte', 'filename=%ff'],
    ['ends with an invalid UTF-8 byte', 'filename=a%ff'],
    ['is given twice', 'filename=a&filename=a'],
    ['is empty', 'filename='],
    ['has no value', 'filename'],
    ...texts('filename', {
      'is 256 characters long': 'a'.repeat(256),
      'is overlong': 'a'.repeat(5000),
      'is a slash': '/',
      'is only slashes': '///',
      'is a backslash': '\\',
      'ends with a slash': 'folder/',
      'is a dot': '.',
      'is two dots': '..',
      'leads upwards to nothing': '../..',
      'leads upwards to nothing with backslashes': '..\\..\\',
      'is a blank': ' ',
      'is dots and blanks': '. . .',
      'is only control characters': '\r\n\t\u0085\u007f',
      'only reverses the text direction': '\u202e\u2066',
      'is a byte order mark': '\ufeff',
      'is a line separator': '\u2028',
    }),
  ],
  good: texts('filename', {
    'is one letter': 'a',
    'is 255 characters long': 'a'.repeat(255),
    'is 255 characters of four bytes': '😀'.repeat(255),
    'holds quotes and a parameter': 'a"; filename*=UTF-8\'\'evil.exe; x="',
    'holds a header': 'a.txt\r\nSet-Cookie: a=b',
    'leads upwards': '../../etc/passwd',
    'ends with a NUL': 'a\u0000',
    'holds a NUL': 'a\u0000b.txt',
    'reverses the text direction': 'a\u202egpj.txt',
    'is Chinese': '报告.pdf',
    'is a reserved word': '__proto__',
  }),
};

describe('getDownloadLink() with filename', () => {
  it.each(filename.bad)('answers INVALID_FILENAME and gives no link when it %s', async (_, query) => {
    const answer = await watched.state.unchangedBy(() => link(`object=${id}&${query}`));
    expect([answer.status, answer.json().code, answer.headers.get('location')]).toEqual([
      400,
      'INVALID_FILENAME',
      null,
    ]);
  });

  it.each(filename.good)('gives a link that works when it %s', async (_, query) => {
    const answer = await watched.state.unchangedBy(() => link(`object=${id}&${query}`));
    const opened = await open(tokenOf(answer.headers.get('location')!));
    expect([opened.status, opened.body.equals(smallest)]).toEqual([200, true]);
    expect(opened.headers.get('set-cookie')).toBeNull();
    expect(opened.headers.get('content-disposition')).toMatch(/^(attachment|inline); filename=[\x20-\x7e]+$/);
  });
});

function open(path: string, method = 'GET') {
  return rawSend(watched.server, { door: 'files', method, path: `/d/${path}` });
}

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Content and signature of the valid link. */
const halves = () => token.split('.') as [content: string, signature: string];

/** The link's content with a change, under the signature of the unchanged one. */
function changed(change: (content: [string, string, number, string, string]) => unknown): string {
  const [content, signature] = halves();
  return `${base64url(change(JSON.parse(Buffer.from(content, 'base64url').toString())))}.${signature}`;
}

/** Tokens that the server itself signed for another purpose. */
const signedFor = (purpose: string) => {
  const [content] = halves();
  return `${content}.${watched.server.running.app.stores.secrets.sign(purpose, content)}`;
};

const badTokens: Readonly<Record<string, () => string>> = {
  'is empty': () => '',
  'is a dot': () => '.',
  'is two dots, encoded': () => '%2e%2e',
  'is a slash, encoded': () => '%2f',
  'is a word': () => 'token',
  'is a word and a dot': () => 'token.',
  'names the prototype': () => '__proto__',
  'lacks its signature': () => halves()[0],
  'lacks its signature behind the dot': () => `${halves()[0]}.`,
  'is the signature alone': () => halves()[1],
  'lacks its content': () => `.${halves()[1]}`,
  'has its halves swapped': () => halves().toReversed().join('.'),
  'lacks its last character': () => token.slice(0, -1),
  'lacks its first character': () => token.slice(1),
  'lacks half of its signature': () => token.slice(0, -20),
  'has a character behind it': () => `${token}A`,
  'has a character before it': () => `A${token}`,
  'has base64 padding': () => `${token}=`,
  'has a third part': () => `${token}.${halves()[1]}`,
  'is there twice': () => token + token,
  'is in lower case': () => token.toLowerCase(),
  'has a blank behind it': () => `${token}%20`,
  'has a newline behind it': () => `${token}%0a`,
  'has a NUL behind it': () => `${token}%00`,
  'has a NUL in its middle': () => token.replace('.', '%00.'),
  'has its dot encoded twice': () => token.replace('.', '%252e'),
  'holds an invalid UTF-8 byte': () => `${token}%ff`,
  'holds broken percent-encoding': () => `${token}%zz`,
  'ends within a percent-encoding': () => `${token}%4`,
  'ends with a bare percent sign': () => `${token}%`,
  'holds a lone surrogate': () => `${token}%ed%a0%80`,
  'holds overlong UTF-8': () => `%c0%af${token}`,
  'has a file behind it': () => `${token}/photo.png`,
  'has an encoded slash behind it': () => `${token}%2f`,
  'leads upwards': () => `x/../${token}`,
  'leads upwards with encoded dots': () => `%2e%2e%2fd%2f${token}`,
  'has a fullwidth dot': () => token.replace('.', '%ef%bc%8e'),
  'is 8,000 characters long': () => 'a'.repeat(8000),
  'has a huge content': () => `${'a'.repeat(8000)}.${halves()[1]}`,
  'has a huge signature': () => `${halves()[0]}.${'a'.repeat(8000)}`,
  'is 2,000 percent-encodings': () => '%41'.repeat(2000),
  'is SQL': () => "'%20OR%20'1'='1",
  'is an id': () => encodeURIComponent(id),
  'is a credential': () => watched.account.credential,
  'is a JWT that asks for no signature': () => `${base64url({ alg: 'none' })}.${halves()[0]}.`,
  'names another account': () => changed(([, ...rest]) => [other.id, ...rest]),
  'names another file': () => changed(([owner, , ...rest]) => [owner, `pub/${owner}/photo.png`, ...rest]),
  'lasts longer': () => changed(([owner, file, expiresAt, ...rest]) => [owner, file, expiresAt + 1, ...rest]),
  'never expires': () => changed(([owner, file, , ...rest]) => [owner, file, null, ...rest]),
  'has another disposition': () => changed(([owner, file, at, , name]) => [owner, file, at, 'attachment', name]),
  'has another filename': () => changed(([owner, file, at, kind]) => [owner, file, at, kind, 'evil.exe']),
  'has content that is not JSON': () => `${base64url('nonsense')}.${halves()[1]}`,
  'has null for content': () => `${base64url(null)}.${halves()[1]}`,
  'has the same JSON with a blank': () => `${base64url(`${Buffer.from(halves()[0], 'base64url')} `)}.${halves()[1]}`,
  'is signed with an empty key': () =>
    `${halves()[0]}.${createHmac('sha256', '').update(halves()[0]).digest('base64url')}`,
  'is signed for lists': () => signedFor('continuation-token'),
  'is signed for uploads': () => signedFor('upload-token'),
  'is signed for shares': () => signedFor('share'),
  'is signed for nothing': () => signedFor(''),
  'is signed for the purpose in capitals': () => signedFor('DOWNLOAD-LINK'),
  'is signed for the purpose and more': () => signedFor('download-link '),
};

describe('a temporary link', () => {
  it('works unchanged, with its dot encoded, and with a query', async () => {
    for (const path of [token, token.replace('.', '%2e'), `${token}?x=%ff`])
      expect((await open(path)).status).toBe(200);
  });

  it.each(Object.entries(badTokens))('answers 404 and nothing of the file when its token %s', async (_, make) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await watched.state.unchangedBy(() => open(make(), method));
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.body.includes(smallest)).toBe(false);
    }
  });

  it('answers 404 when a bit of its signature is changed', async () => {
    const [content, signature] = halves();
    const bytes = Buffer.from(signature, 'base64url');
    for (const at of bytes.keys()) {
      const forged = Buffer.from(bytes);
      forged[at]! ^= 1 << (at % 8);
      expect((await open(`${content}.${forged.toString('base64url')}`)).status).toBe(404);
    }
  });

  it('answers 404 when unused bits in the last character of its signature are changed', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const last of alphabet) {
      if (!token.endsWith(last)) expect((await open(token.slice(0, -1) + last)).status).toBe(404);
    }
  });
});
