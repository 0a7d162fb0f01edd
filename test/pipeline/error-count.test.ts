import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { compileTrusted } from '#server/http/client-address.ts';
import { countError, type AnsweredError } from '#server/pipeline/error-count.ts';
import { openContext } from '#server/pipeline/request-context.ts';
import { bodyMemory } from '#test/support/body-hold.ts';

it('countError() counts sent responses, and nothing when the client disconnected before', async () => {
  const deps = { isTrustedProxy: compileTrusted([]), docsUrl: '', bodies: bodyMemory() };
  const noted: AnsweredError[] = [];
  let closed = 0;
  const server = createServer((req, res) => {
    res.once('close', () => closed++);
    countError(openContext(req, res, deps), (error) => noted.push(error));
    res.statusCode = 502;
    if (req.url === '/answered?a') res.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/answered?a`)).status).toBe(502);
  const silent = request({ port, host: '127.0.0.1', path: '/silent' }).on('error', () => {});
  silent.end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  silent.destroy();
  await expect.poll(() => closed, { timeout: 5000 }).toBe(2);
  expect(noted).toEqual([{ status: 502, method: 'GET', target: '/answered?a' }]);
});
