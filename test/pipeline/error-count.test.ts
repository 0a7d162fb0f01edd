import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { expect, it, onTestFinished } from 'vitest';

import { countError, type AnsweredError } from '#server/pipeline/error-count.ts';

it('countError() tells of what was answered, and of nothing when the client went away before', async () => {
  const noted: AnsweredError[] = [];
  let closed = 0;
  const app = express();
  app.use((_req, res, next) => {
    res.once('close', () => closed++);
    next();
  });
  app.use((req, res, next) => {
    countError(req, res, (error) => noted.push(error));
    next();
  });
  app.get('/answered', (_req, res) => void res.status(502).end());
  app.get('/silent', (_req, res) => void res.status(503));
  const server = createServer(app).listen(0, '127.0.0.1');
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
