import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import type { Door } from './raw-connection.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

/** The kind of access that a script of another origin has to a route. */
type Reach = 'api' | 'file' | 's3' | 'none';

/** The routes that are not in the contract, and the exceptions to the rule for those that are. */
const own: ReadonlyArray<readonly [door: Door, path: string, reach: Reach]> = [
  ['api', '/metrics', 'none'],
  ['operator', '/livez', 'none'],
  ['api', '/activate', 'none'],
  ['api', '/', 'api'],
  ['api', '/openapi.json', 'api'],
  ['api', '/nothing', 'api'],
  ['files', '/', 'file'],
  ['public', '/', 'file'],
  ['s3', '/', 's3'],
  ['s3', '/public', 's3'],
  ['s3', '/public/a.txt', 's3'],
];

const declared = Object.values(policies).map(
  ({ door, path }) =>
    [door as Door, path.replace('{account_id}', '204815162342108999').replace(/\{[^}]+\}/g, 'x')] as const,
);
/** The access that scripts have to most routes of a door. */
const usual = { api: 'api', operator: 'none' } as const;

const special = new Set(own.map(([door, path]) => `${door} ${path}`));
const rows = [
  ...[...new Map(declared.map((row) => [row.join(' '), row])).values()]
    .filter(([door, path]) => !special.has(`${door} ${path}`))
    .map(([door, path]) => [door, path, usual[door as keyof typeof usual] ?? 'file'] as const),
  ...own,
];

const origins = ['https://evil.example', 'null', 'http://localhost:7400'];
const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
const conditions = 'Range,If-Range,If-Match,If-None-Match,If-Modified-Since,If-Unmodified-Since';
const exposedOfFiles = ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'];

/** Those of every operation, then those of the AI gateway, then those of uploads that can be resumed. */
const exposedOfApi =
  'X-Request-Id Retry-After RateLimit RateLimit-Policy Location Link Allow X-Should-Retry X-Cubby-Receipt ' +
  'X-RateLimit-Limit-Requests X-RateLimit-Remaining-Requests X-RateLimit-Reset-Requests X-RateLimit-Limit-Tokens ' +
  'X-RateLimit-Remaining-Tokens X-RateLimit-Reset-Tokens X-Cubby-Responder X-Cubby-Ignored Cache-Status Age ' +
  'Upload-Offset Upload-Length Upload-Defer-Length Upload-Complete Upload-Expires Upload-Limit Upload-Metadata ' +
  'Upload-Concat Tus-Resumable Tus-Version Tus-Extension Tus-Max-Size Tus-Checksum-Algorithm X-Cubby-Object ' +
  'X-Cubby-Url';

/** Response headers that scripts may read. */
function exposed(door: Door, reach: Reach): string {
  if (reach === 'api') return exposedOfApi.replaceAll(' ', ',');
  return reach === 's3' ? '*' : [...exposedOfFiles, ...(door === 'files' ? ['Retry-After'] : []), 'Link'].join(',');
}

/** All CORS headers of a response. None allows credentials or repeats the origin of the request. */
function ofAnswer(door: Door, reach: Reach): Record<string, string> {
  return reach === 'none'
    ? {}
    : { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed(door, reach) };
}

const methods = { api: 'GET,HEAD,POST,PUT,PATCH,DELETE', s3: 'GET,HEAD,PUT,POST,DELETE', file: 'GET,HEAD' };

function ofPreflight(reach: Reach): Record<string, string> {
  if (reach === 'none') return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-max-age': '7200',
    'access-control-allow-methods': methods[reach],
    'access-control-allow-headers': reach === 'file' ? conditions : 'authorization,x-a',
  };
}

describe('CORS headers for scripts of another origin', () => {
  it.each(rows)('at the %s door, %s has the headers of the kind %s', async (door, path, reach) => {
    const url = server.running.urls[door] + path;
    for (const origin of origins) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
        const answer = await fetch(url, { method, headers: { Origin: origin }, redirect: 'manual' });
        await answer.arrayBuffer();
        expect(corsHeaders(answer.headers), `${method} ${answer.status}`).toEqual(ofAnswer(door, reach));
      }
      const headers = {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,x-a',
        'Access-Control-Request-Private-Network': 'true',
      };
      const preflight = await fetch(url, { method: 'OPTIONS', headers });
      await preflight.arrayBuffer();
      const { 'access-control-expose-headers': _, ...found } = corsHeaders(preflight.headers);
      expect(found, 'preflight').toEqual(ofPreflight(reach));
    }
  });
});
