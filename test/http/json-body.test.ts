import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { readJsonBody } from '#server/http/json-body.ts';
import { BodyError } from '#server/http/body-error.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { openHold } from '#test/support/body-hold.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';

import { liveServer, rawClient } from './live-server.ts';

const LIMITS = { maxBytes: 1 << 20, maxDepth: 32, maxValues: 1_000_000 };

type Body = string | Uint8Array<ArrayBuffer>;
type Read = { value: unknown } | { reason: string };

async function jsonServer(limits = LIMITS) {
  const seen: Read[] = [];
  const live = await liveServer(async (req, res) => {
    try {
      seen.push({ value: await readJsonBody(req, { ...limits, hold: openHold() }) });
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      seen.push({ reason: error.reason });
    }
    refuseRemainingBody(req, res);
    res.end();
  });
  return { ...live, seen };
}

async function read(body: Body, headers: Record<string, string> = {}, limits = LIMITS): Promise<Read> {
  await using server = await jsonServer(limits);
  await (await fetch(server.url, { method: 'POST', body, headers })).text();
  return server.seen[0]!;
}

describe('readJsonBody() reads', () => {
  it.each([
    ['{"a":[1,"x",null]}', { a: [1, 'x', null] }],
    [' [ ] \n', []],
    ['7', 7],
    ['"é🦊"', 'é🦊'],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
    [String.raw`["[[[[\"[[[["]`, ['[[[["[[[[']],
    [String.raw`["\\",[]]`, ['\\', []]],
  ])('%s', async (text, value) => {
    expect(await read(text, {}, { ...LIMITS, maxDepth: 2, maxValues: 10_000 })).toEqual({ value });
  });

  it.each([['text/plain'], ['application/x-www-form-urlencoded'], ['nonsense']])(
    'any Content-Type, as %s',
    async (type) => {
      expect(await read('{"a":1}', { 'Content-Type': type })).toEqual({ value: { a: 1 } });
    },
  );

  it('a body of exactly the limit, and arrays of exactly the allowed depth', async () => {
    const text = JSON.stringify('x'.repeat(98));
    expect(await read(text, {}, { maxBytes: 100, maxDepth: 1, maxValues: 10_000 })).toEqual({ value: 'x'.repeat(98) });
    expect(await read('[[[]],{}]', {}, { maxBytes: 100, maxDepth: 3, maxValues: 10_000 })).toEqual({
      value: [[[]], {}],
    });
  });

  it('a key __proto__ as an own property, without changing a prototype', async () => {
    const result = await read('{"__proto__":{"admin":true},"a":{"__proto__":null}}');
    const value = (result as { value: Record<string, unknown> }).value;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['admin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(({ ...value } as Record<string, unknown>)['admin']).toBeUndefined();
  });
});

describe('readJsonBody() refuses', () => {
  const bytes = (...values: number[]) => new Uint8Array(values);

  it.each<[string, Body, string]>([
    ['empty', '', 'no body'],
    ['empty', ' \r\n\t', 'blanks'],
    ['malformed', '{', 'an incomplete object'],
    ['malformed', '{"a":1}x', 'text after the value'],
    ['malformed', "{'a':1}", 'other quotes'],
    ['malformed', 'NaN', 'a value that JSON does not have'],
    ['malformed', '"\n"', 'a bare line end in a string'],
    ['malformed', '\u00a0', 'a blank that JSON does not have'],
    ['malformed', bytes(0x22, 0xff, 0x22), 'bytes that are not UTF-8'],
    ['malformed', bytes(0x22, 0xc0, 0xaf, 0x22), 'overlong UTF-8'],
    ['malformed', bytes(0x22, 0xed, 0xa0, 0x80, 0x22), 'a surrogate in UTF-8'],
    ['malformed', bytes(0xff, 0xfe, 0x37, 0x00), 'UTF-16'],
    ['malformed', ']]]]]]', 'closing brackets only'],
    ['too-deep', '['.repeat(33), 'one unclosed bracket too many'],
    ['too-deep', '{"a":'.repeat(33), 'one brace too many'],
    ['too-deep', '['.repeat(1 << 20), 'a megabyte of brackets'],
    ['too-large', 'x'.repeat((1 << 20) + 1), 'a byte too many'],
  ])('%s: %#', async (reason, body) => {
    expect(await read(body)).toEqual({ reason });
  });

  it('encoded: a compressed body', async () => {
    expect(await read('{}', { 'Content-Encoding': 'gzip' })).toEqual({ reason: 'encoded' });
    expect(await read('{}', { 'Content-Encoding': 'identity' })).toEqual({ value: {} });
  });

  it('too-large: a body with a large declared length, before it is sent', async () => {
    await using server = await jsonServer();
    const client = await rawClient(server.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n');
    await client.until('HTTP/1.1 200');
    expect(server.seen).toEqual([{ reason: 'too-large' }]);
    client.socket.destroy();
  });

  it('too-large: a chunked body as soon as it exceeds the limit', async () => {
    await using server = await jsonServer({ maxBytes: 10, maxDepth: 1, maxValues: 10_000 });
    const client = await rawClient(server.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n');
    await client.until('HTTP/1.1 200');
    expect(server.seen).toEqual([{ reason: 'too-large' }]);
    client.socket.destroy();
  });

  it('cut-off: the body of a client that disconnects, also after a complete value', async () => {
    await using server = await jsonServer();
    for (const sent of ['', '{"a":', '{"a":1}']) {
      const client = await rawClient(server.port);
      client.socket.end(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${sent}`);
      await client.closed();
    }
    while (server.seen.length < 3) await sleep(1);
    expect(server.seen).toEqual(Array(3).fill({ reason: 'cut-off' }));
  });
});

describe('readJsonBody() holds the event loop for a short time only', () => {
  it.each([
    ['brackets', '['.repeat(1 << 20)],
    ['one long string', JSON.stringify('\\"'.repeat(200_000))],
    ['a million characters of numbers', `[${'1,'.repeat(500_000)}1]`],
  ])('with a megabyte of %s', async (_what, text) => {
    await using server = await jsonServer();
    const body = Buffer.from(text);
    const heldMs = await shortestHoldMs(async () => (await fetch(server.url, { method: 'POST', body })).text());
    // It takes a few milliseconds on an idle machine. The rest is for busy machines, and for the client in this same
    // process.
    expect(heldMs).toBeLessThan(250);
  });
});

it('readJsonBody() parses large bodies that arrive together in separate turns', async () => {
  let turn = 0;
  let immediate: NodeJS.Immediate | undefined;
  const count = (): void => void (immediate = setImmediate(() => (turn++, count())));
  const turnsOf = (text: string) =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        const req = Object.assign(Readable.from([Buffer.from(text)]), {
          headers: {},
          complete: true,
          socket: {},
        }) as unknown as IncomingMessage;
        await readJsonBody(req, { ...LIMITS, hold: openHold() });
        return turn;
      }),
    );
  count();
  expect(new Set(await turnsOf('"small"')).size).toBe(1);
  expect(new Set(await turnsOf(JSON.stringify('a'.repeat(100_000)))).size).toBe(8);
  clearImmediate(immediate);
});

describe('readJsonBody() with many values', () => {
  it.each([
    ['[1,2,3]', 4],
    ['{"a":1,"b":[2]}', 4],
    ['["a,b,[c]"]', 2],
  ])('accepts %s if %i values are allowed, and refuses it if one less is allowed', async (text, values) => {
    expect(await read(text, {}, { ...LIMITS, maxValues: values })).toEqual({ value: JSON.parse(text) });
    expect(await read(text, {}, { ...LIMITS, maxValues: values - 1 })).toEqual({ reason: 'too-many' });
  });
});
