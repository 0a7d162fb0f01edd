import { beforeAll, describe, expect, it } from 'vitest';

import { chunking } from '#test/support/chunked.ts';
import { someBytes } from '#test/support/files.ts';
import { startFields, uploadField } from './chunked-fields.ts';
import { rawSend } from './raw-request.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer({ sendsFiles: true });
/** The `upload` string of an upload with one part. */
let handle: string;

const chunks = chunking(() => watched.server);
const path = '/v1/objects/chunked';
const bytes = someBytes(600);
/** Placeholder for the `upload` string in tables, which are made before there is one. */
const placeholder = `${'x'.repeat(26)}.${'y'.repeat(43)}`;
const filled = (text: string) => text.replaceAll(placeholder, handle);

beforeAll(async () => {
  handle = await chunks.open(watched.account);
  await chunks.put(watched.account, handle, 1, bytes);
});

const ask = (method: string, query: string, body?: string | Uint8Array) =>
  rawSend(watched.server, {
    method,
    path: query ? `${path}?${query}` : path,
    credential: watched.account.credential,
    body,
  });

describe.each(startFields)('startChunkedUpload() with $field', ({ code, bad, good }) => {
  it.each(bad)(`answers ${code} and opens nothing when it %s`, async (_, query) => {
    const answer = await watched.state.unchangedBy(() => ask('POST', `${query}&name=photo`));
    expect(answer.json().code).toBe(code);
  });

  it.each(good)('opens the upload when it %s', async (_, query) => {
    const answer = await ask('POST', `${query}&name=photo`);
    expect(answer.json()).toMatchObject({ status: 'success', response: { upload: expect.any(String) } });
    await chunks.abort(watched.account, answer.json().response.upload);
  });
});

describe('putChunkedPart()', () => {
  it('accepts bytes with any Content-Type', async () => {
    const own = await chunks.open(watched.account, { name: 'typed' });
    const answer = await rawSend(watched.server, {
      method: 'PUT',
      path: `${path}?upload=${own}&part=2048`,
      credential: watched.account.credential,
      headers: { 'Content-Type': 'multipart/form-data' },
      body: bytes,
    });
    expect(answer.json()).toMatchObject({ response: { part: 2048, size: 600 } });
    await chunks.abort(watched.account, own);
  });

  it.each<[string, string | Uint8Array | AsyncIterable<Uint8Array> | undefined, Record<string, string>]>([
    ['is not there', undefined, {}],
    ['is empty', '', {}],
    ['is empty and chunked', (async function* () {})(), {}],
  ])('answers EMPTY_CHUNK and changes nothing when its body %s', async (_, body, headers) => {
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, {
        method: 'PUT',
        path: `${path}?upload=${handle}&part=1`,
        credential: watched.account.credential,
        headers,
        body,
      }),
    );
    expect(answer.json().code).toBe('EMPTY_CHUNK');
  });

  it('answers CHUNK_TOO_LARGE to one unannounced byte more than 32 MiB, and changes nothing', async () => {
    const body = (async function* () {
      for (let piece = 0; piece < 32; piece++) yield Buffer.alloc(1_048_576);
      yield Buffer.alloc(1);
    })();
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, {
        method: 'PUT',
        path: `${path}?upload=${handle}&part=1`,
        credential: watched.account.credential,
        body,
      }),
    );
    expect(answer.json().code).toBe('CHUNK_TOO_LARGE');
  });
});

describe('getChunkedUpload() with upload', () => {
  it.each(uploadField(placeholder).bad)('answers INVALID_UPLOAD_TOKEN when it %s', async (_, query) => {
    const answer = await watched.state.unchangedBy(() => ask('GET', filled(query)));
    expect(answer.json().code).toBe('INVALID_UPLOAD_TOKEN');
  });

  it('accepts the one from the start', async () => {
    expect((await ask('GET', `upload=${handle}`)).json().response.size_so_far).toBe(600);
  });
});

describe.each([
  ['PATCH', 'completeChunkedUpload()'],
  ['DELETE', 'abortChunkedUpload()'],
])('%s, %s,', (method) => {
  it('reads no upload from the query or a prototype', async () => {
    const outOfQuery = await watched.state.unchangedBy(() => ask(method, `upload=${handle}`, '{}'));
    expect(outOfQuery.json().code).toBe('INVALID_UPLOAD_TOKEN');
    const inherited = `{"__proto__":{"upload":"${handle}"}}`;
    const outOfPrototype = await watched.state.unchangedBy(() => ask(method, '', inherited));
    expect(outOfPrototype.json().code).toBe('INVALID_UPLOAD_TOKEN');
  });
});
