import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { smallest } from './multipart.ts';
import { badPaths, goodPaths, ignoredHeaders, otherSpellings } from './public-paths.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let other: TestAccount;

beforeAll(async () => {
  other = await watched.server.account();
  await upload(watched.server, watched.account, { bytes: smallest });
  await upload(watched.server, watched.account, { bytes: smallest, query: { prefix: 'folder' } });
  await upload(watched.server, watched.account, { bytes: smallest, query: { name: 'secret', private: 'true' } });
  await upload(watched.server, watched.account, { bytes: smallest, query: { name: 'expired', expire: '7' } });
  watched.server.clock.advance(7 * 24 * 3_600_000);
});

const filled = (path: string) => path.replaceAll('OTHER', other.id).replaceAll('ID', watched.account.id);

function fetchPublic(path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) {
  return rawSend(watched.server, { door: 'public', method, path: filled(path), headers });
}

describe('getPublicFile()', () => {
  it.each(Object.entries(badPaths))('answers 404 when its path %s', async (_, path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await watched.state.unchangedBy(() => fetchPublic(path, method));
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control'), 'not remembered').toBe('no-store');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  it.each(Object.entries(goodPaths))('serves the file when its path %s', async (_, path) => {
    const answer = await fetchPublic(path);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(smallest)).toBe(true);
  });

  it.each(Object.entries(otherSpellings))('redirects to the only spelling when its path %s', async (_, path) => {
    const answer = await fetchPublic(path);
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe(filled(`${watched.server.running.urls.public}/ID/folder/photo.png`));
  });

  it.each(ignoredHeaders)('serves the whole file to %s', async (_, headers) => {
    const answer = await fetchPublic('/ID/folder/photo.png', 'GET', headers);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(smallest)).toBe(true);
  });

  it.each(['bytes=512-', 'bytes=512-600', 'bytes=999999999999999999999-', 'bytes=-0'])(
    'answers 416 to a Range of %s, with the length',
    async (Range) => {
      const answer = await fetchPublic('/ID/folder/photo.png', 'GET', { Range });
      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe('bytes */512');
    },
  );

  it.each([
    ['bytes=0-0', 'bytes 0-0/512'],
    ['bytes=511-', 'bytes 511-511/512'],
    ['bytes=511-99999999999999999999', 'bytes 511-511/512'],
    ['bytes=-1', 'bytes 511-511/512'],
    ['bytes=-9999', 'bytes 0-511/512'],
    ['bytes=0-511', 'bytes 0-511/512'],
  ])('answers 206 to a Range of %s', async (Range, expected) => {
    const answer = await fetchPublic('/ID/folder/photo.png', 'GET', { Range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(expected);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    'answers METHOD_NOT_ALLOWED to %s, whether or not the file exists',
    async (method) => {
      for (const path of ['/ID/folder/photo.png', '/ID/other.png']) {
        const answer = await watched.state.unchangedBy(() => fetchPublic(path, method));
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      }
    },
  );
});
