import express, { type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';

import { apiCors, filesCors } from '#server/http/cors.ts';

import { liveServer } from './live-server.ts';

const api = apiCors({ methods: ['GET', 'POST'], exposedHeaders: ['ETag', 'X-Request-Id'], maxAgeSeconds: 600 });
const files = filesCors({ exposedHeaders: ['ETag', 'Content-Range'], maxAgeSeconds: 60 });

/**
 * Sends a request to a server whose only route is GET /file. Node's `fetch()` can set an Origin, unlike that of a
 * browser.
 */
async function ask(policy: RequestHandler, method: string, path: string, headers: Record<string, string>) {
  const app = express().use(policy);
  app.get('/file', (_req, res) => void res.send('x'));
  app.get('/fault', () => {
    throw new Error('expected by this test');
  });
  app.use(((_error, _req, res, _next) => res.status(500).end()) as express.ErrorRequestHandler);
  await using server = await liveServer(app);
  const response = await fetch(server.url + path, { method, headers });
  await response.arrayBuffer();
  return { status: response.status, header: (name: string) => response.headers.get(name) };
}

const origin = { Origin: 'https://app.example' };
const preflight = { ...origin, 'Access-Control-Request-Method': 'POST' };

describe('apiCors()', () => {
  it('answers a preflight with 204 and repeats requested headers, as "*" does not cover Authorization', async () => {
    const { status, header } = await ask(api, 'OPTIONS', '/file', {
      ...preflight,
      'Access-Control-Request-Headers': 'authorization,content-type',
    });
    expect(status).toBe(204);
    expect(header('Access-Control-Allow-Origin')).toBe('*');
    expect(header('Access-Control-Allow-Methods')).toBe('GET,POST');
    expect(header('Access-Control-Allow-Headers')).toBe('authorization,content-type');
    expect(header('Access-Control-Max-Age')).toBe('600');
    expect(header('Access-Control-Allow-Credentials')).toBeNull();
    expect(header('Vary')).toBe('Access-Control-Request-Headers');
  });

  it('responds to a preflight for a route that does not exist, so that the page can read the 404', async () => {
    expect((await ask(api, 'OPTIONS', '/nowhere', preflight)).status).toBe(204);
  });

  it.each([
    ['/file', 200],
    ['/nowhere', 404],
    ['/fault', 500],
  ])('lets a script read %s, which responds with %i', async (path, expected) => {
    const { status, header } = await ask(api, 'GET', path, origin);
    expect(status).toBe(expected);
    expect(header('Access-Control-Allow-Origin')).toBe('*');
    expect(header('Access-Control-Expose-Headers')).toBe('ETag,X-Request-Id');
    // The headers are the same for every origin, so a cache may keep one response.
    expect(header('Vary')).toBeNull();
  });

  it('sends the headers also without an origin, because a cache may later serve the response to a script', async () => {
    expect((await ask(api, 'GET', '/file', {})).header('Access-Control-Allow-Origin')).toBe('*');
  });

  it('passes on an OPTIONS request without preflight headers', async () => {
    const { status, header } = await ask(api, 'OPTIONS', '/file', origin);
    expect(status).toBe(200);
    expect(header('Allow')).toContain('GET');
  });
});

describe('filesCors()', () => {
  it('allows reading only, with ranges and conditions', async () => {
    const { status, header } = await ask(files, 'OPTIONS', '/file', {
      ...preflight,
      'Access-Control-Request-Headers': 'authorization,range',
    });
    expect(status).toBe(204);
    expect(header('Access-Control-Allow-Methods')).toBe('GET,HEAD');
    expect(header('Access-Control-Allow-Headers')).toBe(
      'Range,If-Range,If-Match,If-None-Match,If-Modified-Since,If-Unmodified-Since',
    );
    expect(header('Vary')).toBeNull();
  });

  it('lets a script read the response', async () => {
    const { header } = await ask(files, 'GET', '/file', origin);
    expect(header('Access-Control-Allow-Origin')).toBe('*');
    expect(header('Access-Control-Expose-Headers')).toBe('ETag,Content-Range');
  });
});
