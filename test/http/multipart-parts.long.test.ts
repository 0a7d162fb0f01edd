import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { refuseRemainingBody } from '#server/http/linger.ts';
import { MultipartError } from '#server/http/multipart-error.ts';
import { multipartParts } from '#server/http/multipart-parts.ts';

import { liveServer } from './live-server.ts';

type Seen = readonly [name: string | undefined, filename: string | undefined, isFile: boolean, content: string | null];

/** Starts a server that reads the parts of a form. It skips the contents of parts named `skipped`. */
async function partServer() {
  const seen: Array<Seen | string> = [];
  const live = await liveServer(async (req, res) => {
    try {
      for await (const { name, filename, isFile, content } of multipartParts(req)) {
        if (name === 'skipped') seen.push([name, filename, isFile, null]);
        else if (name === 'begun') {
          for await (const _ of content) break;
          seen.push([name, filename, isFile, null]);
        } else seen.push([name, filename, isFile, (await buffer(copied(content))).toString('latin1')]);
      }
    } catch (error) {
      if (!(error instanceof MultipartError)) throw error;
      seen.push(error.reason);
    }
    refuseRemainingBody(req, res, { maxMs: 200 });
    res.end('ok');
  });
  return { ...live, seen, [Symbol.asyncDispose]: () => live[Symbol.asyncDispose]() };
}

/** Chunks that stay valid: those of a content are valid only until the next one is requested. */
async function* copied(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) yield Buffer.from(chunk);
}

const type = 'multipart/form-data; boundary=XX';

const part = (disposition: string, content: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;

/** Sends a body in pieces of so many bytes. */
async function send(url: string, body: string, pieceBytes = Infinity, contentType = type): Promise<void> {
  const bytes = Buffer.from(body, 'latin1');
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield bytes.subarray(at, Math.min(bytes.length, at + pieceBytes));
      await new Promise(setImmediate);
    }
  }
  const init = { method: 'POST', headers: { 'Content-Type': contentType }, body: pieces(), duplex: 'half' };
  await fetch(url, init as unknown as RequestInit);
}

const form =
  part('name="sender"', 'Ann') +
  part('name="file"; filename="photos/a.txt"', 'one\r\n--X not the end\r\n-', 'Content-Type: text/plain\r\n') +
  part('name="file"; filename=""', '', 'Content-Type: application/octet-stream\r\n') +
  part('name="skipped"; filename="b"', 'x'.repeat(5000)) +
  part('name="begun"; filename="c"', 'y'.repeat(5000)) +
  part('name="file"; filename="d"', '') +
  '--XX--\r\n';

const whole: readonly Seen[] = [
  ['sender', undefined, false, 'Ann'],
  ['file', 'photos/a.txt', true, 'one\r\n--X not the end\r\n-'],
  ['file', undefined, true, ''],
  ['skipped', 'b', true, null],
  ['begun', 'c', true, null],
  ['file', 'd', true, ''],
];

describe('multipartParts()', () => {
  it.each([1, 2, 3, 7, 64, 1000, Infinity])('yields the parts of a body in pieces of %d bytes', async (pieceBytes) => {
    await using server = await partServer();
    await send(server.url, form, pieceBytes);
    expect(server.seen).toEqual(whole);
  });

  it.each([
    ['another type', 'a', 'application/json', ['not-multipart']],
    ['no body', '', type, ['no-file']],
    ['no part', '--XX--\r\n', type, ['no-file']],
    ['no closing delimiter', part('name="a"', 'b'), type, ['cut-off']],
    ['an end within a part', '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb', type, ['cut-off']],
    [
      'something behind the delimiter',
      `${part('name="a"', 'b')}--XXyy\r\n`,
      type,
      [['a', undefined, false, 'b'], 'malformed'],
    ],
    [
      'headers without an end',
      `${part('name="a"', 'b')}--XX\r\n${'a: b\r\n'.repeat(5000)}`,
      type,
      [['a', undefined, false, 'b'], 'malformed'],
    ],
    ['a part without a name', `--XX\r\nContent-Type: text/plain\r\n\r\nb\r\n--XX--\r\n`, type, ['malformed']],
    ['two filenames', part('name="a"; filename="b"; filename="c"', 'd') + '--XX--\r\n', type, ['ambiguous']],
    [
      'a long epilogue',
      `${part('name="a"', 'b')}--XX--\r\n${'x'.repeat(20_000)}`,
      type,
      [['a', undefined, false, 'b'], 'malformed'],
    ],
  ] as const)('refuses a body with %s', async (_, body, contentType, expected) => {
    await using server = await partServer();
    await send(server.url, body, 4096, contentType);
    expect(server.seen).toEqual(expected);
  });

  it('lets other requests run between the parts of one chunk', async () => {
    await using server = await partServer();
    let mostAtOnce = 0;
    let before = 0;
    let isDone = false;
    const look = () => {
      mostAtOnce = Math.max(mostAtOnce, server.seen.length - before);
      before = server.seen.length;
      if (!isDone) setImmediate(look);
    };
    setImmediate(look);
    await send(server.url, `${part('name="skipped"', 'v').repeat(20_000)}--XX--\r\n`);
    isDone = true;
    expect(server.seen).toHaveLength(20_000);
    // One chunk of 64 KiB has about 1000 of these parts, and several chunks may wait.
    expect(mostAtOnce).toBeLessThan(1000);
  });
});
