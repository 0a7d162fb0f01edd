import { describe, expect, it } from 'vitest';

import { BodyError } from '#server/http/body-error.ts';
import { isForm, readFormBody } from '#server/http/form-body.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { openHold } from '#test/support/body-hold.ts';
import { liveServer, rawClient } from './live-server.ts';

const form = 'application/x-www-form-urlencoded';
const limits = { maxBytes: 1000, maxFields: 10 };

async function formServer() {
  const seen: unknown[] = [];
  const live = await liveServer(async (req, res) => {
    try {
      seen.push([...(await readFormBody(req, { ...limits, hold: openHold() }))]);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      seen.push(error.reason);
    }
    refuseRemainingBody(req, res);
    res.end();
  });
  return { ...live, seen };
}

async function read(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'Content-Type': form },
): Promise<unknown> {
  await using server = await formServer();
  await (await fetch(server.url, { method: 'POST', body, headers })).text();
  return server.seen[0];
}

describe('readFormBody()', () => {
  it.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', ['1']],
        ['b', ['2']],
      ],
    ],
    ['a=1&a=2&%61=3', [['a', ['1', '2', '3']]]],
    [
      'a=x+y%20z%2B%26&&b',
      [
        ['a', ['x y z+&']],
        ['b', ['']],
      ],
    ],
    [
      'a=%c3%a9&b=é',
      [
        ['a', ['é']],
        ['b', ['é']],
      ],
    ],
    [
      'a=%zz&b=%ff',
      [
        ['a', ['\u0000']],
        ['b', ['\u0000']],
      ],
    ],
    [
      '__proto__=x&constructor=y',
      [
        ['__proto__', ['x']],
        ['constructor', ['y']],
      ],
    ],
    ['a=b=c', [['a', ['b=c']]]],
  ])('reads %j', async (body, fields) => {
    expect(await read(body)).toEqual(fields);
  });

  it('accepts at most the allowed number of bytes and fields', async () => {
    expect(await read(`a=${'x'.repeat(998)}`)).toEqual([['a', ['x'.repeat(998)]]]);
    expect(await read(`a=${'x'.repeat(999)}`)).toBe('too-large');
    expect(await read(Array(10).fill('a=1').join('&'))).toHaveLength(1);
    expect(await read(Array(11).fill('a=1').join('&'))).toBe('not-a-form');
    expect(await read('&'.repeat(900))).toBe('not-a-form');
  });

  it('refuses a body that is too long without a declared length', async () => {
    await using server = await formServer();
    const stream = new ReadableStream(
      { pull: (controller) => controller.enqueue(Buffer.alloc(600, 'a')) },
      { highWaterMark: 0 },
    );
    await fetch(server.url, {
      method: 'POST',
      body: stream,
      headers: { 'Content-Type': form },
      duplex: 'half',
    } as RequestInit).catch(() => {});
    await expect.poll(() => server.seen).toEqual(['too-large']);
  });

  it('rejects other types and text that is not UTF-8 as not-a-form, and compressed bodies as encoded', async () => {
    expect(await read('a=1', { 'Content-Type': 'text/plain' })).toBe('not-a-form');
    expect(await read('a=1', { 'Content-Type': form, 'Content-Encoding': 'gzip' })).toBe('encoded');
    expect(await read(new Uint8Array([0x61, 0x3d, 0xff]))).toBe('not-a-form');
  });

  it('rejects with cut-off when the client disconnects', async () => {
    await using server = await formServer();
    const client = await rawClient(server.port);
    client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: 100\r\n\r\na=1`);
    client.socket.end();
    await expect.poll(() => server.seen).toEqual(['cut-off']);
    client.socket.destroy();
  });
});

describe('isForm()', () => {
  it.each([
    [form, true],
    [`${form}; charset=UTF-8`, true],
    ['Application/X-WWW-Form-UrlEncoded ;x', true],
    [`${form}x`, false],
    ['application/json', false],
    [undefined, false],
  ])('returns the right value for %s: %s', (type, answer) => {
    expect(isForm({ headers: { 'content-type': type } } as never)).toBe(answer);
  });
});
