import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { ByteRange } from '#server/http/range.ts';
import {
  sendRepresentation,
  type Representation,
  type SendOptions,
  type SendResult,
} from '#server/http/send-representation.ts';

import { liveServer, rawClient, rawExchange } from './live-server.ts';

const CONTENT = Buffer.from('0123456789');
const LAST_MODIFIED = 'Fri, 02 Jan 2026 03:04:05 GMT';

/** Headers that Node adds. They do not describe the representation. */
const ofConnection = new Set(['connection', 'date', 'keep-alive']);

/** Returns a representation of CONTENT that records each opening. */
function tenBytes(changes: Partial<Representation> = {}): Representation & { opened: (ByteRange | undefined)[] } {
  const opened: (ByteRange | undefined)[] = [];
  return {
    opened,
    sizeBytes: CONTENT.length,
    etag: 'abc',
    lastModifiedMs: Date.parse(LAST_MODIFIED) + 678,
    headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache', 'Content-Disposition': 'inline' },
    async open(range) {
      opened.push(range);
      return Readable.from([CONTENT.subarray(range?.start ?? 0, (range?.end ?? CONTENT.length - 1) + 1)]);
    },
    ...changes,
  };
}

/** Serves one representation. `results` holds the result or the error of each request. */
async function downloadServer(representation: Representation, options?: SendOptions) {
  const results: (SendResult | Error)[] = [];
  const live = await liveServer(async (req, res) => {
    try {
      results.push(await sendRepresentation(req, res, representation, options));
    } catch (error) {
      results.push(error as Error);
      if (!res.headersSent) res.writeHead(500).end('fault');
    }
  });
  const settled = async (): Promise<SendResult | Error> => {
    while (results.length === 0) await sleep(1);
    return results[0]!;
  };
  return { ...live, results, settled };
}

async function get(headers: Record<string, string> = {}, { method = 'GET', file = tenBytes() } = {}) {
  await using server = await downloadServer(file);
  const response = await fetch(server.url, { method, headers });
  return { response, body: await response.text(), result: await server.settled(), opened: file.opened };
}

describe('sendRepresentation() sends 200', () => {
  it('with the bytes and all their metadata', async () => {
    const { response, body, result } = await get();
    expect(response.status).toBe(200);
    expect(body).toBe('0123456789');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache',
      'content-disposition': 'inline',
      'content-length': '10',
      'content-type': 'text/plain',
      etag: '"abc"',
      'last-modified': LAST_MODIFIED,
    });
    expect(result).toEqual({ outcome: 'sent', bytesSent: 10 });
  });

  it('for HEAD, with the same headers, and opens nothing', async () => {
    const [head, whole] = [await get({}, { method: 'HEAD' }), await get()];
    const headers = ({ response }: typeof head) => [...response.headers].filter(([name]) => !ofConnection.has(name));
    expect(head.response.status).toBe(200);
    expect(headers(head)).toEqual(headers(whole));
    expect(head).toMatchObject({ body: '', opened: [], result: { outcome: 'sent', bytesSent: 0 } });
  });

  it('for HEAD with a Range, because only GET supports ranges', async () => {
    const { response } = await get({ Range: 'bytes=0-4' }, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
  });

  it.each([
    ['the whole', {}, 200, '0123456789'],
    ['a range', { Range: 'bytes=2-4' }, 206, '234'],
  ])('with bytes that are in memory already: %s', async (_what, headers: Record<string, string>, status, text) => {
    const file = tenBytes({ open: async (range) => (range ? CONTENT.subarray(range.start, range.end + 1) : CONTENT) });
    const { response, body, result } = await get(headers, { file });
    expect([response.status, response.headers.get('content-length'), body, result]).toEqual([
      status,
      String(text.length),
      text,
      { outcome: 'sent', bytesSent: text.length },
    ]);
  });

  it('for an empty representation', async () => {
    const { response, body } = await get({}, { file: tenBytes({ sizeBytes: 0, open: async () => Readable.from([]) }) });
    expect(response.headers.get('content-length')).toBe('0');
    expect(body).toBe('');
  });

  it.each([
    ['several ranges apart', { Range: 'bytes=0-1,8-9' }],
    ['a malformed range', { Range: 'bytes=5-2' }],
    ['an If-Range of another tag', { Range: 'bytes=0-4', 'If-Range': '"x"' }],
    ['an If-Range of a weak tag', { Range: 'bytes=0-4', 'If-Range': 'W/"abc"' }],
    ['an If-Range of another tag and a range beyond the end', { Range: 'bytes=99-', 'If-Range': '"x"' }],
  ])('for %s', async (_what, headers: Record<string, string>) => {
    const { response, body } = await get(headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-range')).toBeNull();
    expect(body).toBe('0123456789');
  });
});

describe('sendRepresentation() sends 206', () => {
  it.each([
    ['bytes=2-4', 'bytes 2-4/10', '234'],
    ['bytes=7-', 'bytes 7-9/10', '789'],
    ['bytes=-2', 'bytes 8-9/10', '89'],
    ['bytes=0-1,2-3', 'bytes 0-3/10', '0123'],
    ['bytes=0-99', 'bytes 0-9/10', '0123456789'],
  ])('for %s with %s', async (range, contentRange, expected) => {
    const { response, body, result } = await get({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect(response.headers.get('etag')).toBe('"abc"');
    expect(body).toBe(expected);
    expect(result).toEqual({ outcome: 'sent', bytesSent: expected.length });
  });

  it.each([['"abc"'], [LAST_MODIFIED]])('when If-Range is %s', async (ifRange) => {
    const { response } = await get({ Range: 'bytes=2-4', 'If-Range': ifRange });
    expect(response.status).toBe(206);
  });
});

describe('sendRepresentation() sends no bytes', () => {
  it('with 304, but the validators and cache fields, and no content fields', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { response, opened, result } = await get({ 'If-None-Match': 'W/"abc"' }, { method });
      expect(response.status).toBe(304);
      const headers = [...response.headers].filter(([name]) => !ofConnection.has(name));
      expect(Object.fromEntries(headers)).toEqual({
        'accept-ranges': 'bytes',
        'cache-control': 'no-cache',
        etag: '"abc"',
        'last-modified': LAST_MODIFIED,
      });
      expect(opened).toEqual([]);
      expect(result).toEqual({ outcome: 'not-modified', bytesSent: 0 });
    }
  });

  it('with 304, which precedes any range', async () => {
    expect((await get({ 'If-None-Match': '"abc"', Range: 'bytes=99-' })).response.status).toBe(304);
  });

  it('with 412, when a precondition fails', async () => {
    const { response, body, opened, result } = await get({ 'If-Match': '"x"', Range: 'bytes=0-4' });
    expect(response.status).toBe(412);
    expect(response.headers.get('etag')).toBeNull();
    expect(body).toBe('');
    expect(opened).toEqual([]);
    expect(result).toEqual({ outcome: 'precondition-failed', bytesSent: 0 });
  });

  it('with 416, but the length of the representation', async () => {
    const { response, opened, result } = await get({ Range: 'bytes=10-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(response.headers.get('content-type')).toBeNull();
    expect(opened).toEqual([]);
    expect(result).toEqual({ outcome: 'range-not-satisfiable', bytesSent: 0 });
  });

  it('with 412 and 416 in the shape of the caller', async () => {
    await using server = await liveServer((req, res) => {
      void sendRepresentation(req, res, tenBytes(), {
        writeRefusal: (status) => res.setHeader('Content-Type', 'application/xml').end(`<Code>${status}</Code>`),
      });
    });
    const response = await fetch(server.url, { headers: { Range: 'bytes=10-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(await response.text()).toBe('<Code>416</Code>');
    expect(await (await fetch(server.url, { headers: { 'If-Match': '"x"' } })).text()).toBe('<Code>412</Code>');
  });
});

describe('sendRepresentation() never completes a response with missing bytes', () => {
  const broken = async function* (bytes: number): AsyncGenerator<Buffer> {
    yield CONTENT.subarray(0, bytes);
    await sleep(10);
    throw new Error('disk gone');
  };

  it('and throws the error of open() before it sets a header, so that the caller can respond', async () => {
    const file = tenBytes({ open: () => Promise.reject(new Error('no such blob')) });
    const { response, body, result } = await get({}, { file });
    expect(response.status).toBe(500);
    expect(body).toBe('fault');
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('cache-control')).toBeNull();
    expect(result).toMatchObject({ message: 'no such blob' });
  });

  it('and breaks the connection when reading fails midway, and throws', async () => {
    await using server = await downloadServer(tenBytes({ open: async () => Readable.from(broken(5)) }));
    await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow();
    expect(await server.settled()).toMatchObject({ message: 'disk gone' });
  });

  it('and breaks the connection when there are fewer bytes than announced', async () => {
    await using server = await downloadServer(tenBytes({ open: async () => Readable.from([CONTENT.subarray(0, 5)]) }));
    await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow();
    expect(await server.settled()).toMatchObject({ message: 'Only 5 of the announced 10 bytes' });
  });

  it.each([
    ['fewer', CONTENT.subarray(0, 5)],
    ['more', Buffer.concat([CONTENT, CONTENT])],
  ])('and throws when the bytes in memory are %s than announced', async (_, bytes) => {
    const { response, result } = await get({}, { file: tenBytes({ open: async () => bytes }) });
    expect([response.status, response.headers.get('etag')]).toEqual([500, null]);
    expect(result).toBeInstanceOf(Error);
  });

  it('and breaks the connection when there are more bytes than announced, without sending the surplus', async () => {
    const file = tenBytes({ open: async () => Readable.from([CONTENT.subarray(0, 5), CONTENT]) });
    await using server = await downloadServer(file);
    const answer = await rawExchange(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).not.toContain('012340');
    expect(await server.settled()).toMatchObject({ message: 'More than the announced 10 bytes' });
  });

  it('and ends midway when the signal fires', async () => {
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        yield Buffer.alloc(1000);
        await sleep(1);
      }
    }
    const source = Readable.from(endless());
    const file = tenBytes({ sizeBytes: 1e9, open: async () => source });
    await using server = await downloadServer({ ...file, stop: stop.signal });
    const client = await rawClient(server.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('\0');
    stop.abort();
    await client.closed();
    expect(await server.settled()).toMatchObject({ outcome: 'aborted' });
    expect(source.destroyed).toBe(true);
  });
});

describe('sendRepresentation() with a client that disconnects', () => {
  it('stops reading and returns the number of sent bytes, without an error', async () => {
    let produced = 0;
    const source = Readable.from(
      (async function* () {
        for (; produced < 1000; produced += 1) yield Buffer.alloc(1 << 16);
      })(),
      { objectMode: false },
    );
    await using server = await downloadServer(tenBytes({ sizeBytes: 1000 << 16, open: async () => source }));
    const client = await rawClient(server.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('\0');
    client.socket.resetAndDestroy();
    const result = await server.settled();
    expect(result).toMatchObject({ outcome: 'aborted' });
    expect((result as SendResult).bytesSent).toBeLessThan(1000 << 16);
    expect(produced).toBeLessThan(1000);
    expect(source.destroyed).toBe(true);
  });

  it('closes the stream of a blob that was being opened', async () => {
    const source = Readable.from([CONTENT]);
    const opening = Promise.withResolvers<void>();
    const file = tenBytes({
      open: async () => {
        opening.resolve();
        await sleep(50);
        return source;
      },
    });
    await using server = await downloadServer(file);
    const client = await rawClient(server.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await opening.promise;
    client.socket.resetAndDestroy();
    expect(await server.settled()).toEqual({ outcome: 'aborted', bytesSent: 0 });
    expect(source.destroyed).toBe(true);
  });

  it('reads no faster than the client does', async () => {
    let produced = 0;
    const source = Readable.from(
      (async function* () {
        for (; produced < 1600; produced += 1) yield Buffer.alloc(1 << 16);
      })(),
      { objectMode: false },
    );
    await using server = await downloadServer(tenBytes({ sizeBytes: 1600 << 16, open: async () => source }));
    const client = await rawClient(server.port);
    client.socket.pause();
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(150);
    // Of the 100 MB, only the bytes that fit into the buffers of two sockets.
    expect(produced << 16).toBeLessThan(30 << 20);
    client.socket.destroy();
    await server.settled();
  });
});

it('sendRepresentation() keeps the connection usable for the next request', async () => {
  const server = createServer((req, res) => void sendRepresentation(req, res, tenBytes()));
  server.listen(0);
  await once(server, 'listening');
  const client = await rawClient((server.address() as { port: number }).port);
  client.socket.write('GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=0-4\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.socket.write(
    'GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect((await client.closed()).match(/HTTP\/1.1 \d+/g)).toEqual(
    ['206', '200', '304', '200'].map((s) => `HTTP/1.1 ${s}`),
  );
  server.close();
});

describe('sendRepresentation() with bytes in memory', () => {
  it('reports a client that disconnected before they were sent', async () => {
    const opened = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using server = await downloadServer(
      tenBytes({
        async open() {
          opened.resolve();
          await gone.promise;
          return CONTENT;
        },
      }),
    );
    const leaving = new AbortController();
    const answer = fetch(server.url, { signal: leaving.signal });
    await opened.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await sleep(50);
    gone.resolve();
    expect(await server.settled()).toEqual({ outcome: 'aborted', bytesSent: 0 });
  });

  it('sends nothing after the signal has fired', async () => {
    await using server = await downloadServer(tenBytes({ open: async () => CONTENT, stop: AbortSignal.abort() }));
    await expect(fetch(server.url)).rejects.toThrow();
    expect(await server.settled()).toEqual({ outcome: 'aborted', bytesSent: 0 });
  });
});

describe('sendRepresentation() with options', () => {
  it('sends exactly the range of its options, whatever the Range header says', async () => {
    await using server = await downloadServer(tenBytes(), { range: { start: 2, end: 4 } });
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(server.url, { method, headers: { range: 'bytes=8-' } });
      expect([response.status, response.headers.get('content-range'), response.headers.get('content-length')]).toEqual([
        206,
        'bytes 2-4/10',
        '3',
      ]);
      expect(await response.text()).toBe(method === 'GET' ? '234' : '');
    }
  });

  it('supports the Range of a HEAD if its options say so', async () => {
    await using server = await downloadServer(tenBytes(), { rangesOnHead: true });
    const response = await fetch(server.url, { method: 'HEAD', headers: { range: 'bytes=-3' } });
    expect([response.status, response.headers.get('content-range'), response.headers.get('content-length')]).toEqual([
      206,
      'bytes 7-9/10',
      '3',
    ]);
  });
});
