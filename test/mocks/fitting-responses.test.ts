import { fixtures, type OperationId } from 'cubby-server/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startMock, type Mock } from '#mocks/mock.ts';
import { checkAnswer } from '#test/support/contract.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Sends a request, and checks the response against the contract. */
async function ask(path: string, init: RequestInit = {}, door = 'api'): Promise<Got> {
  const headers = { Authorization: 'any', ...(init.headers as Record<string, string>) };
  const response = await fetch(mock.url + path, { redirect: 'manual', ...init, headers });
  const body = Buffer.from(await response.bytes());
  const { status } = response;
  const answer = { method: init.method ?? 'GET', path: path.split('?')[0]!, status, body, door };
  expect(checkAnswer({ ...answer, headers: Object.fromEntries(response.headers) }), path).toEqual([]);
  return { status, headers: response.headers, body };
}

function form(): FormData {
  const parts = new FormData();
  parts.append('file', new Blob(['x'.repeat(600)]), 'april.pdf');
  return parts;
}

const file = 'pub/204815162342108999/april.pdf';
const secret = 'prv/204815162342108999/april_k3v9q2m7x4b6n5tw.pdf';

interface Asked {
  readonly method?: string;
  readonly json?: unknown;
}

type Row = readonly [id: OperationId, example: string, path: string, asked: Asked];

const rows: readonly Row[] = [
  ['uploadObject', 'public', '/v1/objects?name=a', { method: 'POST' }],
  ['uploadObject', 'private', '/v1/objects?name=a&private=true', { method: 'POST' }],
  ['startChunkedUpload', 'private', '/v1/objects/chunked?name=a&private=true', { method: 'POST' }],
  [
    'completeChunkedUpload',
    'completed',
    '/v1/objects/chunked',
    { method: 'PATCH', json: { upload: 'example-upload-0001' } },
  ],
  [
    'completeChunkedUpload',
    'unhashed',
    '/v1/objects/chunked',
    { method: 'PATCH', json: { upload: 'example-upload-0002' } },
  ],
  ['listObjects', 'page', '/v1/objects', {}],
  ['listObjects', 'folders', '/v1/objects?delimiter=/', {}],
  ['getObjectInfo', 'public', `/v1/objects/info?object=${file}`, {}],
  ['getObjectInfo', 'private', `/v1/objects/info?object=${secret}`, {}],
  ['getDownloadLink', 'public', `/v1/objects/download?redirect=false&object=${file}`, {}],
  ['getDownloadLink', 'private', `/v1/objects/download?redirect=false&object=${file}&filename=a.pdf`, {}],
  ['getDownloadLink', 'private', `/v1/objects/download?redirect=false&object=${secret}`, {}],
  ['copyObject', 'copied', '/v1/objects/copy', { method: 'POST', json: { source: file, destination: { name: 'b' } } }],
  [
    'copyObject',
    'moved',
    '/v1/objects/copy',
    { method: 'POST', json: { source: file, destination: { name: 'b' }, move: true } },
  ],
  ['updateObjects', 'one', '/v1/objects', { method: 'PATCH', json: { object: file, private: true } }],
  ['updateObjects', 'several', '/v1/objects', { method: 'PATCH', json: { objects: [file, secret], private: true } }],
  ['deleteObjects', 'one', '/v1/objects', { method: 'DELETE', json: { object: file } }],
  ['deleteObjects', 'several', '/v1/objects', { method: 'DELETE', json: { objects: [file, secret] } }],
  ['createShare', 'public', '/v1/shares', { method: 'POST', json: { object: file } }],
  ['createShare', 'private', '/v1/shares', { method: 'POST', json: { object: secret } }],
  ['createShare', 'files', '/v1/shares', { method: 'POST', json: { objects: [file, secret] } }],
  ['createShare', 'folder', '/v1/shares', { method: 'POST', json: { prefix: 'contracts' } }],
  ['createUploadToken', 'once', '/v1/upload-tokens', { method: 'POST', json: {} }],
  ['createUploadToken', 'several', '/v1/upload-tokens', { method: 'POST', json: { max_uses: 5 } }],
  [
    'setGitWebhook',
    'removed',
    '/v2/apps/app_4x7k2m9q3v8n6tbw/deploy/webhook',
    { method: 'POST', json: { access_token: '@' } },
  ],
  ['replaceSettings', 'none', '/v1/account/settings', { method: 'PUT', json: { rules: [] } }],
];

describe('the response of the mock fits the request', () => {
  it.each(rows)('%s sends the example "%s" for %s %o', async (id, example, path, { method = 'GET', json }) => {
    const body = id === 'uploadObject' ? form() : json === undefined ? undefined : JSON.stringify(json);
    const got = await ask(path, { method, ...(body !== undefined && { body }) });
    const wanted = JSON.stringify((fixtures[id] as Readonly<Record<string, unknown>>)[example]);
    expect(got.body.toString()).toBe(wanted.replaceAll(/https:\/\/\w+\.cubby\.invalid/g, mock.url));
  });

  it.each([
    ['POST', 'tus', 201, { 'Tus-Resumable': '1.0.0', 'Upload-Length': '600' }],
    ['POST', 'the draft', 201, { 'Upload-Draft-Interop-Version': '8', 'Upload-Complete': '?0' }],
    ['POST', 'the draft, with all bytes', 200, { 'Upload-Draft-Interop-Version': '8', 'Upload-Complete': '?1' }],
    ['PATCH', 'tus', 204, { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }],
    ['PATCH', 'the draft', 204, { 'Upload-Complete': '?0', 'Content-Type': 'application/partial-upload' }],
    [
      'PATCH',
      'the draft, with the last bytes',
      200,
      { 'Upload-Complete': '?1', 'Content-Type': 'application/partial-upload' },
    ],
  ])('%s of an upload by %s gets %d', async (method, _protocol, status, headers) => {
    const path = method === 'POST' ? '/v1/uploads?name=a' : '/v1/uploads/example-upload-0001';
    const sent = { ...headers, ...(method === 'PATCH' && { 'Upload-Offset': '0' }) };
    const body = method === 'PATCH' || status === 200 ? { body: 'x'.repeat(600) } : {};
    const got = await ask(path, { method, headers: sent, ...body });
    expect([got.status, got.body.length > 0]).toEqual([status, status === 200]);
    if (status === 201) expect(got.headers.get('location')).toMatch(/^\/v1\/uploads\//);
  });

  it.each([
    ['GIT_REF_NOT_SUPPORTED', { ref: 'refs/tags/v1', after: '9f2c1ab47de083c5612f4b7a8d90e3c16a5b2d4f' }],
    ['GIT_EVENT_IGNORED', { zen: 'Keep it logically awesome.' }],
  ])('a push that deploys nothing gets 202 %s', async (code, push) => {
    const got = await ask('/v2/git/webhook/any', { method: 'POST', body: JSON.stringify(push) });
    expect([got.status, got.body.toString()]).toEqual([202, expect.stringContaining(code)]);
  });

  it('a download link redirects to an address of the mock, where a file is', async () => {
    const to = async (query: string) => (await ask(`/v1/objects/download?object=${query}`)).headers.get('location')!;
    expect(await to(secret)).toBe(`${mock.url}/d/example-token`);
    expect(await to(`${file}&disposition=inline`)).toBe(`${mock.url}/d/example-token`);
    const address = await to(file);
    expect(address).toMatch(new RegExp(`^${mock.url}/204815162342108999/`));
    expect((await fetch(address)).status).toBe(200);
  });
});

describe('the mock knows only the cursors and upload strings of its own responses', () => {
  it.each([
    ['/v1/objects?cursor=1b3.forged', 'INVALID_CONTINUATION_TOKEN'],
    ['/v1/account/activity?cursor=1z.forged', 'INVALID_CONTINUATION_TOKEN'],
    ['/v2/apps/app_4x7k2m9q3v8n6tbw/deployments?cursor=2k.forged', 'INVALID_CONTINUATION_TOKEN'],
    ['/v1/objects/chunked?upload=forged', 'INVALID_UPLOAD_TOKEN'],
  ])('%s gets %s', async (path, code) => {
    const got = await ask(path);
    expect([got.status, JSON.parse(got.body.toString()).code]).toEqual([400, code]);
  });
});

describe.each(['/d/example-token', '/s/example', '/s/example?download=1'])('a file behind %s', (path) => {
  const open = (headers: Record<string, string>, method = 'GET') => ask(path, { method, headers }, 'files');

  it('is sent whole, and in ranges', async () => {
    const whole = await open({ Accept: 'image/*' });
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect(whole.body.subarray(1, 4).toString()).toBe('PNG');
    const size = whole.body.length;
    const part = await open({ Range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${size}`]);
    expect(part.body).toEqual(whole.body.subarray(10, 20));
    expect((await open({ Range: 'bytes=-5' })).body).toEqual(whole.body.subarray(size - 5));
    const beyond = await open({ Range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    const head = await open({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.body.length]).toEqual([200, String(size), 0]);
  });

  it('is compared with the conditions of the request', async () => {
    const etag = (await open({})).headers.get('etag')!;
    expect((await open({ 'If-None-Match': etag })).status).toBe(304);
    expect((await open({ 'If-Match': '"other"' })).status).toBe(412);
    expect((await open({ Range: 'bytes=0-9', 'If-Range': '"other"' })).status).toBe(200);
  });
});

describe('a share link', () => {
  it('shows browsers its page, and with download=1 the file', async () => {
    const as = async (path: string) =>
      (await ask(path, { headers: { Accept: 'text/html' } }, 'files')).headers.get('content-type');
    expect(await as('/s/example')).toMatch(/^text\/html/);
    expect(await as('/s/example?download=1')).toBe('image/png');
  });
});
