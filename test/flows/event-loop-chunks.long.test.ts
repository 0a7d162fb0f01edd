import { crc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { builtInAppId } from '#server/features/apps/app.ts';
import { ask } from '#test/faults/client.ts';
import { expectShortHolds } from '#test/faults/loop-hold.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { readAnswer, sendBytes } from '#test/s3/exchange.ts';
import { sign, type Endpoint } from '#test/s3/signed-request.ts';
import type { TestAccount } from '#test/support/server.ts';

/**
 * Time that the server computes in one turn. The design goal is 50 ms, and a processor that others use too is slower.
 */
const boundMs = 100;

/** Each byte is a chunk of six bytes on the wire. */
const bytes = process.env.CUBBY_TEST_LONG === '1' ? 2_000_000 : 500_000;

/** A request whose body is sent in chunks of one byte. */
interface Sent {
  /** The address of the door. */
  readonly url: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const boundary = 'tiny-chunks';
const formOf = (content: string, name = 'file') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; ` +
  `filename="a.bin"\r\n\r\n${content}\r\n--${boundary}--\r\n`;
const formHeaders = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
const content = 'b'.repeat(bytes);

/** Returns a request in chunks of one byte. */
function tinyChunks({ method, target, headers, body }: Sent): Buffer {
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Transfer-Encoding: chunked',
    'Connection: close',
    '',
    '',
  ].join('\r\n');
  return Buffer.from(`${head}${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
}

describe(`${bytes} chunks of one byte hold the event loop for less than ${boundMs} ms`, () => {
  let server: SpawnedServer;
  let account: TestAccount;
  let endpoint: Endpoint;
  beforeAll(async () => {
    server = await spawnServer();
    account = await server.account();
    const { json } = await ask(`${server.urls.base}/v1/s3/credentials`, account);
    endpoint = {
      url: server.urls.s3,
      accessKeyId: json.response.access_key_id,
      secretAccessKey: json.response.secret_access_key,
    };
  });
  afterAll(() => server.remove());

  const atApi = (method: string, target: string, body: string, headers: Sent['headers'] = {}): Sent => {
    const { credential: Authorization } = account;
    return { url: server.urls.base, method, target, headers: { Host: 'a', Authorization, ...headers }, body };
  };

  const atS3 = (request: Parameters<typeof sign>[1], body: string): Sent => {
    const { method, target, headers } = sign(endpoint, request);
    const kept = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { url: server.urls.s3, method, target, headers: Object.fromEntries(kept), body };
  };

  const post = (path: string, body?: object) =>
    ask(`${server.urls.api}${path}`, {
      method: 'POST',
      credential: account.credential,
      ...(body && { body: JSON.stringify(body) }),
    });

  /** Each door that takes the bytes of a file, and those that read a long body. */
  const table: Readonly<Record<string, () => Promise<Sent> | Sent>> = {
    'a form with a file': () => atApi('POST', '/v1/objects?name=form', formOf(content), formHeaders),
    async 'a part of a chunked upload'() {
      const { json } = await post('/v1/objects/chunked?name=parts');
      return atApi('PUT', `/v1/objects/chunked?upload=${json.response.upload}&part=1`, content);
    },
    async 'the bytes of a tus upload'() {
      const { headers } = await ask(`${server.urls.api}/v1/uploads?name=tus`, {
        method: 'POST',
        credential: account.credential,
        headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(bytes) },
      });
      const { pathname } = new URL(headers.get('location')!, server.urls.api);
      return atApi('PATCH', pathname, content, {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      });
    },
    async 'a form of a file request'() {
      const { json } = await post('/v1/file-requests', { title: 'Photos', prefix: 'inbox' });
      const { pathname } = new URL(json.response.url);
      return { ...atApi('POST', pathname, formOf(content), formHeaders), url: server.urls.files };
    },
    'a file over S3': () => atS3({ method: 'PUT', path: '/private/a', payload: 'unsigned' }, content),
    'a file over S3 whose hash is signed': () => atS3({ method: 'PUT', path: '/private/b', body: content }, content),
    'chunks of S3 within chunks of HTTP'() {
      const file = 'a'.repeat(bytes / 5);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(file));
      const inner = `${'1\r\na\r\n'.repeat(file.length)}0\r\nx-amz-checksum-crc32:${sum.toString('base64')}\r\n\r\n`;
      const headers = { 'x-amz-decoded-content-length': String(file.length) };
      return atS3({ method: 'PUT', path: '/private/c', payload: 'chunks-trailer', headers }, inner);
    },
    async 'a git push'() {
      const { json } = await post(`/v2/apps/${builtInAppId(account.id)}/deploy/webhook`, { access_token: 'token' });
      const { pathname } = new URL(json.response.webhook);
      const headers = { 'Content-Type': 'application/json', 'X-GitHub-Event': 'push' };
      return { ...atApi('POST', pathname, `{"a":"${content}"}`, headers), url: server.urls.api };
    },
    'a JSON body': () => atApi('DELETE', '/v1/objects', `{"object":"${content}"}`),
    'a prompt': () => ({
      ...atApi('POST', '/v2/ai/responses', JSON.stringify({ input: 'word '.repeat(bytes / 10) })),
      url: server.urls.api,
    }),
  };

  it.each(Object.entries(table))('%s', async (what, make) => {
    const seen = new Set<number>();
    const send = async () => {
      const sent = await make();
      seen.add(readAnswer(await sendBytes(sent.url, tinyChunks(sent), 60_000), sent.method).status);
    };
    await expectShortHolds(server, boundMs, what, send, 'computedMs');
    // The bodies that are no file are read to their end, and then refused.
    const isFile = !['a git push', 'a JSON body', 'a prompt'].includes(what);
    expect([...seen]).toEqual([isFile ? (what.includes('tus') ? 204 : 200) : 400]);
  });
});
