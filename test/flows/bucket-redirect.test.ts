import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { presign } from '#test/s3/signed-request.ts';
import { startGatewayBucket, type GatewayBucket } from '#test/stores/bucket/gateway-bucket.ts';
import { TestClock } from '#test/support/clock.ts';
import { startFaultyHttp } from '#test/support/faulty-http.ts';
import { someBytes, upload, type Upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { remainingOf, shareFile } from '#test/support/shares.ts';

let bucket: GatewayBucket;
let server: TestServer;
let account: TestAccount;
const clock = new TestClock();

async function startOver(endpoint: string): Promise<TestServer> {
  const { bucket: name, prefix, region, accessKeyId, secretAccessKey } = bucket.place();
  return startTestServer({
    clock,
    env: {
      CUBBY_BLOBS_URL: `s3://${name}/${prefix}?${new URLSearchParams({ endpoint, region })}`,
      CUBBY_BLOBS_ACCESS_KEY_ID: accessKeyId,
      CUBBY_BLOBS_SECRET_ACCESS_KEY: secretAccessKey,
      CUBBY_BLOBS_REDIRECT: 'on',
    },
  });
}

beforeAll(async () => {
  bucket = await startGatewayBucket();
  server = await startOver(bucket.gateway.url);
  account = await server.account('enterprise');
});
afterAll(async () => {
  await server.stop();
  await bucket.gateway.stop();
});

const bytes = someBytes(100_000);

let files = 0;

interface Stored {
  readonly id: string;
  /** On the public host. */
  readonly path: string;
}

async function store(file: Upload = {}): Promise<Stored> {
  const answer = await upload(server, account, { bytes, ...file, query: { name: `file-${++files}`, ...file.query } });
  const { id, url } = answer.json().response;
  return { id, path: url ? new URL(url).pathname : '' };
}

const fetchPublic = (path: string, options: Parameters<TestServer['send']>[1] = {}): Promise<TestAnswer> =>
  server.send(path, { door: 'public', ...options });

async function linkTo(id: string, filename = 'x.bin'): Promise<string> {
  const query = new URLSearchParams({ object: id, redirect: 'false', filename });
  const answer = await server.send(`/v1/objects/download?${query}`, { credential: account.credential });
  return new URL(answer.json().response.url).pathname;
}

/** Follows a redirect to the bucket. Returns the response of the bucket. */
async function follow(answer: TestAnswer, headers: Record<string, string> = {}): Promise<Response> {
  expect(answer.status).toBe(307);
  expect(answer.body).toHaveLength(0);
  const location = answer.headers.get('location')!;
  expect(location).toMatch(/^http:\/\/localhost:\d+\/private\/test\//);
  return fetch(location, { headers });
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('CUBBY_BLOBS_REDIRECT', () => {
  it('sends downloads of public files to the bucket, for as long as the address is valid', async () => {
    const { path } = await store({ filename: 'photo.png', query: { cache_control: 'max-age=86400' } });
    const answer = await fetchPublic(path);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const response = await follow(answer);
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(bytes)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(new URL(answer.headers.get('location')!).searchParams.get('X-Amz-Expires')).toBe('120');
  });

  it('sends ranges there, and answers those that lie outside the file itself', async () => {
    const { path } = await store({ filename: 'film.mp4' });
    const range = { Range: 'bytes=10-19' };
    const response = await follow(await fetchPublic(path, { headers: range }), range);
    expect(response.status).toBe(206);
    expect((await bytesOf(response)).equals(bytes.subarray(10, 20))).toBe(true);
    const outside = await fetchPublic(path, { headers: { Range: 'bytes=100000-' } });
    expect(outside.status).toBe(416);
  });

  it('sends temporary links and share links there, as attachments under their names', async () => {
    const { id } = await store({ filename: 'page.html', query: { private: 'true' } });
    const link = await server.send(await linkTo(id, 'Übersicht.html'), { door: 'files' });
    expect(link.headers.get('cache-control')).toBe('no-store');
    const linked = await follow(link);
    expect(linked.headers.get('content-type')).toBe('application/octet-stream');
    expect(linked.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cbersicht.html");
    expect(linked.headers.get('content-disposition')).toMatch(/^attachment;/);

    const share = await shareFile(server, account, {
      file: { bytes, filename: 'notes.txt', query: { name: 'notes' } },
    });
    const shared = await follow(await server.send(share.path, { door: 'files' }));
    expect(shared.headers.get('content-disposition')).toBe('attachment; filename=notes.txt');
    expect((await bytesOf(shared)).equals(bytes)).toBe(true);
  });

  it('answers HEAD and conditional requests itself', async () => {
    const { path } = await store({ filename: 'photo.png' });
    const head = await fetchPublic(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '100000']);
    const etag = head.headers.get('etag')!;
    expect((await fetchPublic(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const date = head.headers.get('last-modified')!;
    expect((await fetchPublic(path, { headers: { 'If-Modified-Since': date } })).status).toBe(304);
    expect((await fetchPublic(path, { headers: { 'If-Match': '"other"' } })).status).toBe(412);
    const resumed = await fetchPublic(path, { headers: { 'If-Range': etag, Range: 'bytes=5-8' } });
    expect([resumed.status, resumed.body.equals(bytes.subarray(5, 9))]).toEqual([206, true]);
    const modified = await fetchPublic(path, { headers: { 'If-None-Match': '"other"' } });
    expect([modified.status, modified.body.equals(bytes)]).toEqual([200, true]);
  });

  it('sends what a browser could take for a document itself, with its sandbox', async () => {
    for (const filename of ['notes.txt', 'paper.pdf', 'data.json', 'style.css']) {
      const { path } = await store({ filename });
      const answer = await fetchPublic(path);
      expect([filename, answer.status]).toEqual([filename, 200]);
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    }
    for (const filename of ['page.html', 'icon.svg']) {
      const { path } = await store({ filename });
      const response = await follow(await fetchPublic(path));
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    }
  });

  it('sends small files and files of several blobs itself', async () => {
    const small = await store({ bytes: someBytes(2_000), filename: 'photo.png' });
    expect((await fetchPublic(small.path)).status).toBe(200);
  });

  it('counts downloads of a link with a cap, because it sends their bytes itself', async () => {
    const file = { bytes, filename: 'photo.png', query: { name: 'capped' } };
    const share = await shareFile(server, account, { file, body: { max_downloads: 2 } });
    const answer = await server.send(share.path, { door: 'files' });
    expect([answer.status, answer.body.equals(bytes)]).toEqual([200, true]);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('lets no address outlive its link or its file', async () => {
    const expiring = await store({ filename: 'photo.png', query: { expire: '2h', name: 'expiring' } });
    clock.advance(7_200_000 - 90_000);
    const seconds = async () => {
      const answer = await fetchPublic(expiring.path);
      return [
        new URL(answer.headers.get('location')!).searchParams.get('X-Amz-Expires'),
        answer.headers.get('cache-control'),
      ];
    };
    expect(await seconds()).toEqual(['90', 'public, max-age=60']);
    clock.advance(70_000);
    expect(await seconds()).toEqual(['20', 'public, max-age=20']);
    clock.advance(11_000);
    expect((await fetchPublic(expiring.path)).status).toBe(200);
  });

  it('is not used by the S3 gateway, nor while the bucket is down', async () => {
    const proxy = await startFaultyHttp(bucket.gateway.url);
    const other = await startOver(proxy.url);
    const owner = await other.account('pro');
    const uploaded = (await upload(other, owner, { bytes, filename: 'photo.png' })).json().response;
    const open = () => other.send(new URL(uploaded.url).pathname, { door: 'public' });
    expect((await open()).status).toBe(307);
    const { access_key_id, secret_access_key } = (
      await other.send('/v1/s3/credentials', { credential: owner.credential })
    ).json().response;
    const endpoint = { url: other.running.urls.s3, accessKeyId: access_key_id, secretAccessKey: secret_access_key };
    const path = `/public/${uploaded.id.split('/').slice(2).join('/')}`;
    const ofGateway = await fetch(endpoint.url + presign(endpoint, { path, signedAtMs: clock.now() }), {
      redirect: 'manual',
    });
    expect(ofGateway.status).toBe(200);
    expect((await bytesOf(ofGateway)).equals(bytes)).toBe(true);
    proxy.fault = () => ({ kind: 'status', status: 503 });
    const conditional = () =>
      other.send(new URL(uploaded.url).pathname, { door: 'public', headers: { 'If-None-Match': '"x"' } });
    for (let at = 0; at < 6; at++) expect((await conditional()).status).toBe(503);
    expect((await open()).status).toBe(503);
  });
});
