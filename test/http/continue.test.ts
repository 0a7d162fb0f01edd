import type { RequestListener } from 'node:http';

import express from 'express';
import { describe, expect, it } from 'vitest';

import { acceptExpectations, readyForBody } from '#server/http/continue.ts';
import { readJsonBody } from '#server/http/json-body.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { openMultipartFile } from '#server/http/multipart-only-file.ts';

import { openHold } from '#test/support/body-hold.ts';
import { liveServer, rawClient, type RawClient } from './live-server.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

async function expecting(app: RequestListener, headers = 'Content-Length: 2\r\n') {
  const server = await liveServer(app, acceptExpectations);
  const client: RawClient = await rawClient(server.port);
  client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}Expect: 100-continue\r\n\r\n`);
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe('acceptExpectations() and readyForBody()', () => {
  it('send the 100 when the JSON reader wants the body', async () => {
    await using asked = await expecting(async (req, res) => {
      res
        .setHeader('Connection', 'close')
        .end(
          JSON.stringify(await readJsonBody(req, { hold: openHold(), maxBytes: 10, maxDepth: 1, maxValues: 10_000 })),
        );
    });
    await asked.client.until(CONTINUE);
    asked.client.socket.write('{}');
    expect(await asked.client.closed()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n.*\{\}/s);
  });

  it('send the 100 when the multipart reader wants the body', async () => {
    await using asked = await expecting(async (req, res) => {
      const file = await openMultipartFile(req, { fieldName: 'file' });
      for await (const _chunk of file.content);
      res.setHeader('Connection', 'close').end('ok');
    }, 'Content-Type: multipart/form-data; boundary=XX\r\nTransfer-Encoding: chunked\r\n');
    await asked.client.until(CONTINUE);
    const body = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--XX--\r\n';
    asked.client.socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(await asked.client.closed()).toContain('HTTP/1.1 200 OK');
  });

  it('send no 100 for a request that is refused', async () => {
    await using asked = await expecting((req, res) => {
      refuseRemainingBody(req, res);
      res.writeHead(403).end();
      readyForBody(req);
    });
    expect(await asked.client.closed()).toMatch(/^HTTP\/1\.1 403 /);
    expect(asked.client.received()).not.toContain('100 Continue');
  });

  it('send no 100 for a body whose declared length is too large', async () => {
    await using asked = await expecting(async (req, res) => {
      await readJsonBody(req, { hold: openHold(), maxBytes: 1, maxDepth: 1, maxValues: 10_000 }).catch(() => {});
      refuseRemainingBody(req, res);
      res.writeHead(413).end();
    });
    expect(await asked.client.closed()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('send one 100, even when the body is requested repeatedly', async () => {
    await using asked = await expecting((req, res) => {
      readyForBody(req);
      readyForBody(req);
      req.resume().on('end', () => res.setHeader('Connection', 'close').end());
    });
    await asked.client.until(CONTINUE);
    asked.client.socket.write('{}');
    expect((await asked.client.closed()).match(/100 Continue/g)).toHaveLength(1);
  });

  it('work with an Express application', async () => {
    const app = express().use(async (req, res) => {
      res
        .set('Connection', 'close')
        .json(await readJsonBody(req, { hold: openHold(), maxBytes: 10, maxDepth: 1, maxValues: 10_000 }));
    });
    await using asked = await expecting(app);
    await asked.client.until(CONTINUE);
    asked.client.socket.write('{}');
    expect(await asked.client.closed()).toContain('HTTP/1.1 200 OK');
  });

  it('send no 100 to a client that does not expect it', async () => {
    const app: RequestListener = (req, res) => {
      readyForBody(req);
      res.end('ok');
    };
    await using server = await liveServer(app, acceptExpectations);
    expect(await (await fetch(server.url, { method: 'POST', body: 'x' })).text()).toBe('ok');
  });

  it('leave other expectations to Node, which responds with 417', async () => {
    await using server = await liveServer(() => {}, acceptExpectations);
    const client = await rawClient(server.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n');
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 417 /);
  });
});
