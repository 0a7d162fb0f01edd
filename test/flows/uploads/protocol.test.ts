import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import { someBytes } from '#test/support/files.ts';
import { draft, metadataOf, serialUploads, tus, tusBytes } from '#test/support/serial.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const { open, append, head } = serialUploads(() => server);

type Row = readonly [
  about: string,
  headers: Readonly<Record<string, string | undefined>>,
  status: number,
  code: string,
];

/** Headers without those that are undefined. */
const given = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const length = { 'Upload-Length': '600' };

const tusStarts: readonly Row[] = [
  ['no length', {}, 400, 'INVALID_UPLOAD_HEADER'],
  ['an empty length', { 'Upload-Length': '' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a negative length', { 'Upload-Length': '-1' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a length with a fraction', { 'Upload-Length': '600.5' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a length in hex', { 'Upload-Length': '0x600' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a length of 16 digits', { 'Upload-Length': '1'.repeat(16) }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a length over 10 GiB', { 'Upload-Length': '10737418241' }, 413, 'FILE_TOO_LARGE'],
  ['a length of no byte', { 'Upload-Length': '0' }, 400, 'FILE_TOO_SMALL'],
  ['a deferred length of 2', { 'Upload-Defer-Length': '2' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a length that is deferred too', { ...length, 'Upload-Defer-Length': '1' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['version 0.2.2', { ...length, 'Tus-Resumable': '0.2.2' }, 412, 'UNSUPPORTED_TUS_VERSION'],
  ['an empty version', { ...length, 'Tus-Resumable': '' }, 412, 'UNSUPPORTED_TUS_VERSION'],
  ['metadata without base64', { ...length, 'Upload-Metadata': 'filename a!' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['metadata with half base64', { ...length, 'Upload-Metadata': 'filename YQ' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['metadata with a key twice', { ...length, 'Upload-Metadata': 'a YQ==,a YQ==' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['metadata with two values', { ...length, 'Upload-Metadata': 'a YQ== YQ==' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['metadata without a key', { ...length, 'Upload-Metadata': 'a YQ==,,' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['metadata with a wrong option', { ...length, ...metadataOf({ expire: 'soon' }) }, 400, 'INVALID_OBJECT_EXPIRE'],
  ['a blocked type', { ...length, ...metadataOf({ filename: 'a.exe' }) }, 400, 'BLOCKED_FILE_TYPE'],
  ['an unknown concatenation', { ...length, 'Upload-Concat': 'half' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a concatenation of nothing', { 'Upload-Concat': 'final;' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a concatenation of words', { 'Upload-Concat': 'final;a b' }, 400, 'INVALID_UPLOAD_HEADER'],
  [
    'a concatenation with a length',
    { ...length, 'Upload-Concat': 'final;/v1/uploads/a' },
    400,
    'INVALID_UPLOAD_HEADER',
  ],
  ['a concatenation of an unknown one', { 'Upload-Concat': 'final;/v1/uploads/a' }, 404, 'UPLOAD_NOT_FOUND'],
];

const tusAppends: readonly Row[] = [
  ['no version', { 'Tus-Resumable': undefined }, 412, 'UNSUPPORTED_TUS_VERSION'],
  ['version 2.0.0', { 'Tus-Resumable': '2.0.0' }, 412, 'UNSUPPORTED_TUS_VERSION'],
  ['no Content-Type', { 'Content-Type': undefined }, 415, 'UNSUPPORTED_UPLOAD_TYPE'],
  ['another Content-Type', { 'Content-Type': 'application/octet-stream' }, 415, 'UNSUPPORTED_UPLOAD_TYPE'],
  ["the draft's Content-Type", { 'Content-Type': 'application/partial-upload' }, 415, 'UNSUPPORTED_UPLOAD_TYPE'],
  ['no offset', { 'Upload-Offset': undefined }, 400, 'INVALID_UPLOAD_HEADER'],
  ['an empty offset', { 'Upload-Offset': '' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a negative offset', { 'Upload-Offset': '-1' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['an offset of words', { 'Upload-Offset': 'here' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['an offset too small', { 'Upload-Offset': '9' }, 409, 'UPLOAD_OFFSET_MISMATCH'],
  ['an offset too large', { 'Upload-Offset': '11' }, 409, 'UPLOAD_OFFSET_MISMATCH'],
  ['an offset beyond the length', { 'Upload-Offset': '601' }, 409, 'UPLOAD_OFFSET_MISMATCH'],
  ['another length', { 'Upload-Length': '601' }, 409, 'SIZE_MISMATCH'],
  ['a checksum without a value', { 'Upload-Checksum': 'sha1' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a checksum of an unknown kind', { 'Upload-Checksum': 'crc32 AAAAAA==' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a checksum without base64', { 'Upload-Checksum': 'sha1 !' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a checksum of other bytes', { 'Upload-Checksum': `sha1 ${'A'.repeat(27)}=` }, 460, 'UPLOAD_CHECKSUM_MISMATCH'],
  ['a checksum that is too short', { 'Upload-Checksum': 'sha1 AAAA' }, 460, 'UPLOAD_CHECKSUM_MISMATCH'],
];

const draftAppends: readonly Row[] = [
  ['no Content-Type', { 'Content-Type': undefined }, 415, 'UNSUPPORTED_UPLOAD_TYPE'],
  ['another Content-Type', { 'Content-Type': 'image/png' }, 415, 'UNSUPPORTED_UPLOAD_TYPE'],
  ['no offset', { 'Upload-Offset': undefined }, 400, 'INVALID_UPLOAD_HEADER'],
  ['an offset that is no integer', { 'Upload-Offset': '1.0' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['no completeness', { 'Upload-Complete': undefined }, 400, 'INVALID_UPLOAD_HEADER'],
  ['a completeness that is no boolean', { 'Upload-Complete': 'true' }, 400, 'INVALID_UPLOAD_HEADER'],
  ['another offset', { 'Upload-Offset': '9' }, 409, 'UPLOAD_OFFSET_MISMATCH'],
  ['another length', { 'Upload-Length': '700' }, 409, 'SIZE_MISMATCH'],
  ['an end before the length', { 'Upload-Complete': '?1' }, 409, 'SIZE_MISMATCH'],
];

/** Sends exactly these headers, and expects an error that has changed nothing. */
async function expectRefused(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  [, , status, code]: Row,
  body?: Uint8Array,
): Promise<void> {
  const answer = await rawSend(server, { method, path, credential: account.credential, headers: given(headers), body });
  expect([answer.status, answer.json().code]).toEqual([status, code]);
  if (status === 412) expect(answer.headers.get('tus-version')).toBe('1.0.0');
  if (code === 'UPLOAD_OFFSET_MISMATCH') expect(answer.headers.get('upload-offset')).toBe('10');
  if ('Tus-Resumable' in headers && headers['Tus-Resumable'] !== undefined)
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
}

describe('the creation of tus', () => {
  it.each(tusStarts)('is refused with %s', async (...row) => {
    await expectRefused('POST', '/v1/uploads?name=big', { ...tus, ...row[1] }, row);
  });

  it('is refused with bytes of another Content-Type', async () => {
    const row: Row = ['', {}, 415, 'UNSUPPORTED_UPLOAD_TYPE'];
    const headers = { ...tus, ...length, 'Content-Type': 'image/png' };
    await expectRefused('POST', '/v1/uploads?name=big', headers, row, someBytes(9));
  });
});

describe('an append', () => {
  it.each(tusAppends)('of tus is refused with %s, and the upload stays as it was', async (...row) => {
    const address = await open(account, 600);
    await append(account, address, 0, someBytes(10));
    const headers = { ...tus, ...tusBytes, 'Upload-Offset': '10', ...row[1] };
    await expectRefused('PATCH', address, headers, row, someBytes(5));
    expect((await head(account, address)).headers.get('upload-offset')).toBe('10');
    await serialUploads(() => server).end(account, address);
  });

  it.each(draftAppends)('of the draft is refused with %s, and the upload stays as it was', async (...row) => {
    const address = await open(account, 600);
    await append(account, address, 0, someBytes(10));
    const headers = {
      ...draft,
      'Content-Type': 'application/partial-upload',
      'Upload-Offset': '10',
      'Upload-Complete': '?0',
      ...row[1],
    };
    await expectRefused('PATCH', address, headers, row, someBytes(5));
    const asked = await head(account, address, draft);
    expect([asked.headers.get('upload-offset'), asked.headers.get('upload-complete')]).toEqual(['10', '?0']);
    await serialUploads(() => server).end(account, address);
  });

  it.each(['POST', 'PUT'])('may come as POST with the name of its method, but not as %s alone', async (method) => {
    const address = await open(account, 600);
    const headers = { ...tus, ...tusBytes, 'Upload-Offset': '0' };
    const plain = await server.send(address, { method, credential: account.credential, headers, body: someBytes(5) });
    expect(plain.status).toBe(405);
    const named = { ...headers, 'X-HTTP-Method-Override': 'PATCH' };
    // The contract describes the method that is named.
    const answer = await fetch(server.running.urls.base + address, {
      method: 'POST',
      headers: { ...named, Authorization: account.credential },
      body: 'bytes',
    });
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, '5']);
    await serialUploads(() => server).end(account, address);
  });
});

describe('a page of another origin', () => {
  const origin = { Origin: 'https://app.example' };

  it.each(['/v1/uploads', '/v1/uploads/some'])(
    'learns what %s speaks from OPTIONS and from the preflight',
    async (path) => {
      const preflight = {
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,tus-resumable,upload-offset',
      };
      for (const headers of [{}, { ...origin, ...preflight }]) {
        const answer = await fetch(server.running.urls.base + path, { method: 'OPTIONS', headers });
        expect(answer.status).toBe(204);
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'tus-version': '1.0.0',
          'tus-resumable': '1.0.0',
          'tus-max-size': '10737418240',
          'tus-checksum-algorithm': 'sha1,sha256,sha512,md5',
          'tus-extension':
            'creation,creation-defer-length,creation-with-upload,expiration,checksum,termination,concatenation',
          'accept-patch': 'application/partial-upload, application/offset+octet-stream',
          'upload-limit': 'max-size=10737418240, min-size=512',
        });
        if ('Origin' in headers)
          expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,tus-resumable,upload-offset');
      }
    },
  );

  it('may read the headers of both protocols, and of errors', async () => {
    const token = await tokenOf(server, account, { allowed_origins: [origin.Origin] });
    const uploads = serialUploads(() => server);
    const made = await uploads.create({ credential: token }, { ...origin, ...length });
    const exposed = made.headers.get('access-control-expose-headers')!.toLowerCase().split(',');
    for (const name of [
      'location',
      'upload-offset',
      'upload-complete',
      'upload-limit',
      'tus-resumable',
      'x-cubby-object',
    ])
      expect(exposed).toContain(name);
    const wrong = await append({ credential: token }, made.headers.get('location')!, 5, someBytes(5), origin);
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([409, '*']);
    const elsewhere = await append({ credential: token }, made.headers.get('location')!, 0, someBytes(5), {
      Origin: 'https://elsewhere.example',
    });
    expect(elsewhere.json().code).toBe('ORIGIN_NOT_ALLOWED');
  });
});
