import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, vi } from 'vitest';

import { closeOwnSideOnly, gateBody, keepHalfOpen } from '#server/internals/node-24.ts';
import { root } from '#test/architecture/imports.ts';
import { liveServer, rawClient } from '#test/http/live-server.ts';

describe('gateBody()', () => {
  it('sees each piece of a body, and lets Node read on only when it is told to', async () => {
    let pieces = 0;
    let isOpen = false;
    const waiting: Array<() => void> = [];
    await using server = await liveServer(async (req, res) => {
      gateBody(req, {
        received: () => (pieces++, isOpen),
        wanted: (read) => (isOpen ? read() : void waiting.push(read)),
      });
      let bytes = 0;
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      res.end(`<${bytes}>`);
    });
    const client = await rawClient(server.port);
    const chunk = `1\r\nx\r\n`;
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
    client.socket.write(`${chunk.repeat(100_000)}0\r\n\r\n`);
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    await sleep(50);
    // Node stopped after the packet that it was reading.
    expect(pieces).toBeLessThan(100_000 / 4);
    isOpen = true;
    for (const read of waiting.splice(0)) read();
    expect(await client.closed()).toContain('<100000>');
    expect(pieces).toBeGreaterThan(90_000);
  });
});

describe('keepHalfOpen()', () => {
  /** Returns what a client receives that closes its side after its request. */
  async function received(prepare: Parameters<typeof liveServer>[1]): Promise<string> {
    await using server = await liveServer((_req, res) => void setTimeout(() => res.end('late'), 50), prepare);
    const client = await rawClient(server.port);
    client.socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const text = await client.closed();
    return text;
  }

  it('lets a late response reach a client that has closed its side, which Node alone does not', async () => {
    expect(await received(keepHalfOpen)).toContain('late');
    expect(await received(undefined)).not.toContain('late');
  });
});

describe('closeOwnSideOnly()', () => {
  it.each(['kept', 'restored'])(
    'decides what Node does after a response with "Connection: close": %s',
    async (form) => {
      let destroyed = () => false;
      await using server = await liveServer((req, res) => {
        const { socket } = req;
        const restore = closeOwnSideOnly(socket);
        if (form === 'restored') restore();
        destroyed = () => socket.destroyed;
        res.setHeader('Connection', 'close').end('a');
      });
      const client = await rawClient(server.port);
      client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
      await once(client.socket, 'end');
      if (form === 'restored') return expect.poll(destroyed).toBe(true);
      await sleep(50);
      expect(destroyed()).toBe(false);
      client.socket.destroy();
      return undefined;
    },
  );

  it('hooks a function that Node calls once', async () => {
    const calls = vi.fn<() => void>();
    await using server = await liveServer((req, res) => {
      const { destroySoon } = req.socket;
      req.socket.destroySoon = function soon() {
        calls();
        destroySoon.call(this);
      };
      res.setHeader('Connection', 'close').end('a');
    });
    await (await fetch(server.url)).text();
    await expect.poll(() => calls.mock.calls.length).toBe(1);
  });
});

describe('warnOfUrlParse()', () => {
  const first = "const { warnOfUrlParse } = await import('./server/internals/node-24.ts'); warnOfUrlParse();";
  /** Returns what a program prints that calls `url.parse()` itself. */
  const printed = (before: string) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `process.on('warning', ({ code }) => console.log(code));
         ${before} const { parse } = await import('node:url');
         parse('/'); console.log(process.noDeprecation ?? false);`,
      ],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );

  it('takes the only warning of Node, and lets later ones of other functions be heard', () => {
    expect(printed('')).toBe('false\nDEP0169\n');
    expect(printed(first)).toBe('false\n');
  });
});
