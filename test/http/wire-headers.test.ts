import { describe, expect, test } from 'vitest';

import { decodedWords, encodedWords } from '#server/http/encoded-words.ts';
import { setHeaders, wireValue } from '#server/http/wire-headers.ts';
import { awkwardNames } from '#test/support/awkward-names.ts';
import { liveServer, rawExchange } from './live-server.ts';

const headers = ['Content-Disposition', 'Content-Type', 'Cache-Control', 'x-amz-meta-note', 'X-Other'];

describe.each(awkwardNames.map((name) => [JSON.stringify(name).slice(0, 40), name]))('%s', (_, name) => {
  test('is printable ASCII in every header, or cannot be sent', () => {
    for (const header of headers)
      for (const value of [name, `attachment; filename="${name}"`, `attachment; ${name}=1; filename=${name}`])
        expect(wireValue(header, value) ?? '').toMatch(/^[\x20-\x7e]*$/);
  });

  test('makes no further line of a head, whether Node knows the length of the body or not', async () => {
    await using server = await liveServer((req, res) => {
      setHeaders(res, Object.fromEntries(headers.map((header) => [header, `attachment; filename="${name}"`])));
      if (req.url === '/written') res.write('a');
      if (req.url === '/announced') setHeaders(res, { 'Content-Length': '2', 'Content-disposition': `a; b="${name}"` });
      res.end('a'.repeat(req.url === '/announced' ? 2 : 1));
    });
    for (const path of ['/', '/written', '/announced']) {
      const text = await rawExchange(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const [head = ''] = text.split('\r\n\r\n');
      for (const line of head.split('\r\n')) expect(line).toMatch(/^[\x20-\x7e]+$/);
      expect(head).not.toMatch(/^(?:x-injected|set-cookie)/im);
    }
  });

  test('is the same text again behind encoded words', () => {
    const words = encodedWords(name);
    for (const word of words.split(' ')) expect(word.length).toBeLessThanOrEqual(75);
    expect(decodedWords(words)).toBe(/\p{Cc}/u.test(name) ? words : name.toWellFormed());
  });
});

test.each(['=?utf-16?B?AAA=?=', '=?UTF-8?B?/w==?=', '=?UTF-8?X?a?=', '=?UTF-8?Q?a?= b', '=?', 'a =?UTF-8?Q?b?='])(
  'the text %s is not one of encoded words that can be read',
  (text) => expect(decodedWords(text)).toBe(text),
);
