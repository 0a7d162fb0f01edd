import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openMultipartFile } from '#server/http/multipart-only-file.ts';
import { liveServer, rawClient } from './live-server.ts';
import { CLOSE, FILE_HEAD, TYPE, fileServer, type Seen } from './only-file-server.ts';

/** Returns the bytes of all buffers that are still in use, after a garbage collection. */
function liveBufferBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

/** Sends a request that announces more bytes than it sends, then disconnects. Returns the server's view. */
async function cutOff(sent: string | Buffer, announcedBytes: number): Promise<Seen> {
  await using server = await fileServer();
  const client = await rawClient(server.port);
  client.socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${announcedBytes}\r\n\r\n`,
  );
  client.socket.end(sent);
  await client.closed();
  while (server.seen.length === 0) await sleep(1);
  return server.seen[0]!;
}

describe('openMultipartFile() does not accept a partial body when the client disconnects', () => {
  const whole = `${FILE_HEAD}hello${CLOSE}`;

  it('after any byte of the body', async () => {
    for (let length = 0; length < whole.length; length += 1) {
      const seen = await cutOff(whole.slice(0, length), whole.length);
      expect(seen.refused?.reason, `after ${length} bytes`).toBe('cut-off');
      expect(seen.content).toBeUndefined();
    }
  });

  it('with a reset', async () => {
    await using server = await fileServer();
    const client = await rawClient(server.port);
    client.socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: 1000\r\n\r\n${FILE_HEAD}`,
    );
    await sleep(20);
    client.socket.resetAndDestroy();
    while (server.seen.length === 0) await sleep(1);
    expect(server.seen[0]?.refused?.reason).toBe('cut-off');
  });

  it('or sends broken chunked encoding', async () => {
    await using server = await fileServer();
    const client = await rawClient(server.port);
    client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    client.socket.write(`${FILE_HEAD.length.toString(16)}\r\n${FILE_HEAD}\r\nzz\r\n`);
    await client.closed();
    while (server.seen.length === 0) await sleep(1);
    expect(server.seen[0]?.refused?.reason).toBe('cut-off');
  });

  it('and has no listener for the file', async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await liveServer(async (req) => {
      const file = await openMultipartFile(req, { fieldName: 'file' });
      req.socket.once('close', () => gone.resolve());
      // The caller drops the file without a listener and without awaiting it. The process must not end.
      void file;
    });
    const client = await rawClient(server.port);
    client.socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: 1000\r\n\r\n${FILE_HEAD}`,
    );
    await sleep(20);
    client.socket.resetAndDestroy();
    await gone.promise;
    await sleep(10);
  });
});

describe('openMultipartFile() with random bodies', () => {
  const piece = fc.constantFrom(
    '\r\n',
    '\r',
    '\n',
    '-',
    '--',
    '--XX',
    '--XX--',
    '\r\n--XX',
    CLOSE,
    FILE_HEAD,
    '\r\n--head--\r\n',
    'X',
    ' ',
    'a: b\r\n',
    'é',
  );

  it('settles, and accepts only one whole file, with an optional epilogue', async () => {
    await using server = await fileServer();
    let accepted = 0;
    const check = async (body: string): Promise<void> => {
      server.seen.length = 0;
      await (await fetch(server.url, { method: 'POST', headers: { 'Content-Type': TYPE }, body })).text();
      const [one] = server.seen;
      if (one?.refused !== undefined) return;
      accepted += 1;
      expect(one?.content).not.toContain('\r\n--XX');
      const end = body.lastIndexOf(`\r\n\r\n${one?.content}\r\n--XX--`);
      expect(end).toBeGreaterThan(0);
      const behind = body.slice(end + `\r\n\r\n${one?.content}\r\n--XX--`.length);
      expect(behind).toMatch(/^[ \t]*(?:[\r\n]|$)/);
      expect(behind).not.toContain('\r\n--XX');
    };
    const pieces = fc.array(piece, { maxLength: 8 }).map((all) => all.join(''));
    await fc.assert(fc.asyncProperty(pieces, check), { numRuns: 200 });
    await fc.assert(
      fc.asyncProperty(pieces, (middle) => check(FILE_HEAD + middle + CLOSE)),
      { numRuns: 200 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, (fields) => check(FILE_HEAD.slice(0, -2) + fields + CLOSE)),
      { numRuns: 200 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});

describe('openMultipartFile() makes no difference between a body at once and one in pieces', () => {
  const piece = fc.constantFrom('\r\n', '\r', '--XX', '--XX--', '\r\n--XX', CLOSE, FILE_HEAD, 'x'.repeat(3000), 'é');
  const middle = fc.array(piece, { maxLength: 5 }).map((all) => all.join(''));
  const body = fc.oneof(
    middle.map((content) => FILE_HEAD + content + CLOSE),
    middle.map((fields) => FILE_HEAD.slice(0, -2) + fields + CLOSE),
    middle.map((epilogue) => `${FILE_HEAD}hello${CLOSE}${epilogue}`),
    fc.tuple(middle, fc.nat(60)).map(([content, cut]) => (FILE_HEAD + content + CLOSE).slice(0, -cut)),
  );

  it('for random bodies', async () => {
    await using server = await fileServer();
    /** Sends the pieces one by one. A body of several pieces has not arrived whole when it is opened. */
    const seen = async (pieces: readonly Buffer[]): Promise<Seen> => {
      server.seen.length = 0;
      const client = await rawClient(server.port);
      const { length } = Buffer.concat(pieces);
      const head = Buffer.from(
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${TYPE}\r\nContent-Length: ${length}\r\n\r\n`,
      );
      client.socket.write(pieces.length === 1 ? Buffer.concat([head, ...pieces]) : head);
      for (const piece of pieces.length === 1 ? [] : pieces) {
        await new Promise(setImmediate);
        client.socket.write(piece);
      }
      await client.closed();
      return server.seen[0]!;
    };
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.nat(), { maxLength: 4 }), async (text, cuts) => {
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
        const pieces = places.slice(1).map((until, at) => bytes.subarray(places[at], until));
        expect(await seen([bytes])).toEqual(await seen([...pieces, Buffer.alloc(0)]));
      }),
      { numRuns: 300 },
    );
  });
});

describe('openMultipartFile() streams the file', () => {
  it('without holding its 100 MB in memory', async () => {
    const block = Buffer.alloc(1 << 20, 'abc\r\n--X');
    const before = liveBufferBytes();
    let countedBytes = 0;
    let mostUnreadBytes = 0;
    let mostLiveBytes = 0;
    await using server = await liveServer(async (req, res) => {
      const file = await openMultipartFile(req, { fieldName: 'file' });
      let measuredAt = 0;
      for await (const chunk of file.content) {
        countedBytes += chunk.length;
        mostUnreadBytes = Math.max(mostUnreadBytes, req.socket.bytesRead - countedBytes);
        if (countedBytes - measuredAt < 10 * block.length) continue;
        measuredAt = countedBytes;
        mostLiveBytes = Math.max(mostLiveBytes, liveBufferBytes() - before);
      }
      res.end('ok');
    });
    const length = FILE_HEAD.length + 100 * block.length + CLOSE.length;
    const answer = await new Promise<string>((resolve, reject) => {
      const req = request(server.url, { method: 'POST', headers: { 'Content-Type': TYPE, 'Content-Length': length } });
      req.on('error', reject).on('response', (res) => resolve(text(res)));
      void (async () => {
        req.write(FILE_HEAD);
        for (let i = 0; i < 100; i += 1) {
          if (!req.write(block)) await new Promise((drained) => req.once('drain', drained));
        }
        req.end(CLOSE);
      })();
    });
    expect(answer).toBe('ok');
    expect(countedBytes).toBe(100 * block.length);
    expect(mostUnreadBytes).toBeLessThan(2 << 20);
    expect(mostLiveBytes).toBeLessThan(40 << 20);
  });

  it('only as fast as it is read', async () => {
    let readBytes = 0;
    await using server = await liveServer(async (req, res) => {
      const file = await openMultipartFile(req, { fieldName: 'file' });
      const chunks = file.content[Symbol.asyncIterator]();
      await chunks.next();
      await sleep(100);
      readBytes = req.socket.bytesRead;
      while (!(await chunks.next()).done);
      res.end('ok');
    });
    const body = Buffer.concat([Buffer.from(FILE_HEAD), Buffer.alloc(20_000_000), Buffer.from(CLOSE)]);
    const response = await fetch(server.url, { method: 'POST', headers: { 'Content-Type': TYPE }, body });
    expect(await response.text()).toBe('ok');
    expect(readBytes).toBeLessThan(1_000_000);
  });

  it('and leaves no listener on the request', async () => {
    let left: (string | symbol)[] = [];
    await using server = await liveServer(async (req, res) => {
      const events = new Set(req.eventNames());
      const file = await openMultipartFile(req, { fieldName: 'file' });
      await text(file.content);
      left = req.eventNames().filter((name) => !events.has(name));
      res.end('ok');
    });
    await fetch(server.url, { method: 'POST', headers: { 'Content-Type': TYPE }, body: `${FILE_HEAD}hello${CLOSE}` });
    expect(left).toEqual([]);
  });
});
