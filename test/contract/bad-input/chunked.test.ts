import { beforeAll, describe, expect, it } from 'vitest';

import { chunking } from '#test/support/chunked.ts';
import { someBytes } from '#test/support/files.ts';
import { badHandles, noTexts, partField, startFields, uploadField } from './chunked-fields.ts';
import { rawSend } from './raw-request.ts';
import { uploadFields } from './upload-fields.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
/** The `upload` string of an upload with one part. */
let handle: string;

const chunks = chunking(() => watched.server);
const path = '/v1/objects/chunked';
const bytes = someBytes(600);
/** Stands for the `upload` string in tables, which are made before there is one. */
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

describe.each(startFields)('startChunkedUpload() with $field', ({ field, code, bad, good }) => {
  const others = field === 'name' ? '' : '&name=photo';

  it.each(bad)(`answers ${code} and opens nothing when it %s`, async (_, query) => {
    const answer = await watched.state.unchangedBy(() => ask('POST', query + others));
    expect(answer.json().code).toBe(code);
  });

  it.each(good)('opens the upload when it %s', async (_, query) => {
    const answer = await ask('POST', query + others);
    expect(answer.json()).toMatchObject({ status: 'success', response: { upload: expect.any(String) } });
    await chunks.abort(watched.account, answer.json().response.upload);
  });
});

describe.each([partField, uploadField(placeholder), uploadFields.find(({ field }) => field === 'checksum_sha256')!])(
  'putChunkedPart() with $field',
  ({ field, code, bad }) => {
    const others = () =>
      Object.entries({ part: '1', upload: handle })
        .filter(([name]) => name !== field)
        .map(([name, value]) => `&${name}=${value}`)
        .join('');

    it.each(bad)(`answers ${code} and changes nothing when it %s`, async (_, query) => {
      const answer = await watched.state.unchangedBy(() => ask('PUT', filled(query) + others(), someBytes(700)));
      expect(answer.json().code).toBe(code);
    });
  },
);

describe('putChunkedPart()', () => {
  it.each(['1', '2', '2047', '2048'])('takes part %s, whatever its Content-Type says', async (part) => {
    const own = await chunks.open(watched.account, { name: `p${part}` });
    const answer = await rawSend(watched.server, {
      method: 'PUT',
      path: `${path}?upload=${own}&part=${part}`,
      credential: watched.account.credential,
      headers: { 'Content-Type': 'multipart/form-data' },
      body: bytes,
    });
    expect(answer.json()).toMatchObject({ response: { part: Number(part), size: 600 } });
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

  it('answers CHUNK_TOO_LARGE to one byte more than 32 MiB that nothing announced, and changes nothing', async () => {
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

  it('takes the one that the start answered', async () => {
    expect((await ask('GET', `upload=${handle}`)).json().response.size_so_far).toBe(600);
  });
});

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

describe.each([
  ['PATCH', 'completeChunkedUpload()'],
  ['DELETE', 'abortChunkedUpload()'],
])('%s, %s,', (method) => {
  it.each(noTexts.map((value) => [shown(value), value] as const))(
    'answers INVALID_UPLOAD_TOKEN and changes nothing when upload is %s',
    async (_, upload) => {
      const answer = await watched.state.unchangedBy(() => ask(method, '', JSON.stringify({ upload })));
      expect(answer.json().code).toBe('INVALID_UPLOAD_TOKEN');
    },
  );

  it.each(Object.keys(badHandles(placeholder)))(
    'answers INVALID_UPLOAD_TOKEN and changes nothing when upload %s',
    async (kind) => {
      const answer = await watched.state.unchangedBy(() =>
        ask(method, '', JSON.stringify({ upload: badHandles(handle)[kind] })),
      );
      expect(answer.json().code).toBe('INVALID_UPLOAD_TOKEN');
    },
  );

  it.each([
    '',
    ' ',
    'upload=a',
    '{',
    '{"upload":"a"',
    '[]',
    '"a"',
    '7',
    'null',
    'NaN',
    '{"upload":"a",}',
    "{'upload':'a'}",
    '{"upload":"a"}x',
  ])('answers INVALID_BODY and changes nothing to %j', async (body) => {
    expect((await watched.state.unchangedBy(() => ask(method, '', body))).json().code).toBe('INVALID_BODY');
  });

  it('answers BODY_TOO_LARGE to a byte more than 1 MiB', async () => {
    expect(
      (
        await watched.state.unchangedBy(() => ask(method, '', JSON.stringify({ upload: handle }).padEnd(1_048_577)))
      ).json().code,
    ).toBe('BODY_TOO_LARGE');
  });

  it('takes no upload from the query or a prototype', async () => {
    expect((await watched.state.unchangedBy(() => ask(method, `upload=${handle}`, '{}'))).json().code).toBe(
      'INVALID_UPLOAD_TOKEN',
    );
    expect(
      (await watched.state.unchangedBy(() => ask(method, '', `{"__proto__":{"upload":"${handle}"}}`))).json().code,
    ).toBe('INVALID_UPLOAD_TOKEN');
  });
});

describe('completeChunkedUpload() with checksum_sha256', () => {
  it.each(
    [
      null,
      true,
      0,
      [],
      {},
      '',
      ' ',
      'a',
      'A'.repeat(64),
      'g'.repeat(64),
      '0'.repeat(63),
      '0'.repeat(65),
      `${'0'.repeat(64)}\n`,
      `0x${'0'.repeat(62)}`,
      '０'.repeat(64),
    ].map((value) => [shown(value), value] as const),
  )('answers INVALID_CHECKSUM and changes nothing when it is %s', async (_, checksum) => {
    const answer = await watched.state.unchangedBy(() =>
      ask('PATCH', '', JSON.stringify({ upload: handle, checksum_sha256: checksum })),
    );
    expect(answer.json().code).toBe('INVALID_CHECKSUM');
  });
});
