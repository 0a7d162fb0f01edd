import express from 'express';
import { describe, expect, it } from 'vitest';

import { assignRequestId, requestId } from '#server/http/request-id.ts';

import { liveServer } from './live-server.ts';

/** Sends a request to a server that responds with the request's id. */
async function ask(headers: Record<string, string>, path = '/') {
  const app = express().use(assignRequestId());
  app.get('/', (_req, res) => void res.send(requestId(res)));
  await using server = await liveServer(app);
  const response = await fetch(server.url + path, { headers });
  return { header: response.headers.get('X-Request-Id'), body: await response.text() };
}

describe('assignRequestId()', () => {
  it.each([['12345678'], ['a'.repeat(64)], ['trace.7f_3-A0']])('keeps %s', async (id) => {
    expect(await ask({ 'X-Request-Id': id })).toEqual({ header: id, body: id });
  });

  it.each([
    ['1234567'],
    ['a'.repeat(65)],
    ['has a blank'],
    ['a=1;b=22'],
    ['{"log":"x"}'],
    ['idididé1'],
    ['one12345, two12345'],
  ])('replaces %j by a random one', async (id) => {
    const { header, body } = await ask({ 'X-Request-Id': id });
    expect(header).toMatch(/^[0-9a-f-]{36}$/);
    expect(body).toBe(header);
  });

  it('gives every request its own id', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await ask({})).header));
    expect(new Set(ids).size).toBe(3);
  });

  it('sets the id on error responses', async () => {
    expect((await ask({}, '/nowhere')).header).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('requestId() is empty if no id was assigned', async () => {
  await using server = await liveServer((_req, res) => res.end(`[${requestId(res)}]`));
  expect(await (await fetch(server.url)).text()).toBe('[]');
});
