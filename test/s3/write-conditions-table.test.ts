import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { s3Operations } from '#server/features/s3/door/routes.ts';
import { exchange, sendWire, type S3Answer } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { postForm } from './signed-request.ts';

/** What an operation of the gateway does with conditions. `no file`: it replaces and deletes no file. */
const decided: Readonly<Record<string, 'kept' | 'no file'>> = {
  PutObject: 'kept',
  PostObject: 'kept',
  CopyObject: 'kept',
  CreateMultipartUpload: 'kept',
  CompleteMultipartUpload: 'kept',
  DeleteObject: 'kept',
  DeleteObjects: 'kept',
  UploadPart: 'no file',
  UploadPartCopy: 'no file',
  AbortMultipartUpload: 'no file',
  PutObjectAcl: 'no file',
  PutObjectTagging: 'no file',
  DeleteObjectTagging: 'no file',
  PutObjectRetention: 'no file',
  PutObjectLegalHold: 'no file',
};

let gateway: Gateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());

type Headers = Readonly<Record<string, string>>;

/** Each row has a file of its own, in a folder whose versions the trash keeps. */
const pathOf = (key: string) => `/private/${key}`;

const put = (key: string, body: string, headers: Headers = {}) =>
  exchange(gateway, { method: 'PUT', path: pathOf(key), body, headers });

async function begun(key: string, headers: Headers = {}): Promise<S3Answer & { readonly uploadId: string }> {
  const answer = await exchange(gateway, { method: 'POST', path: pathOf(key), query: { uploads: '' }, headers });
  return { ...answer, uploadId: /<UploadId>([^<]+)/.exec(answer.text)?.[1] ?? '' };
}

async function completed(key: string, uploadId: string, headers: Headers = {}): Promise<S3Answer> {
  const part = { partNumber: '1', uploadId };
  const { etag } = (await exchange(gateway, { method: 'PUT', path: pathOf(key), query: part, body: 'part' })).headers;
  const body =
    `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part>` +
    '</CompleteMultipartUpload>';
  return exchange(gateway, { method: 'POST', path: pathOf(key), query: { uploadId }, body, headers });
}

function formOf(key: string, fields: Headers, headers: Headers): Promise<S3Answer> {
  const boundary = 'between';
  const conditions = [
    { bucket: 'private' },
    { key },
    ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
  ];
  const expiration = new Date(Date.now() + 3_600_000).toISOString();
  const signed = postForm(gateway, { expiration, conditions }, { key, ...fields });
  const parts = Object.entries(signed).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
    `filename="a"\r\n\r\nform\r\n--${boundary}--\r\n`;
  const body = Buffer.from(parts.join('') + file);
  return sendWire(gateway, {
    method: 'POST',
    target: '/private',
    headers: [
      ['host', new URL(gateway.url).host],
      ['content-type', `multipart/form-data; boundary=${boundary}`],
      ['content-length', String(body.length)],
      ...Object.entries(headers),
    ],
    body,
  });
}

const remove = (key: string, query: Headers, headers: Headers) =>
  exchange(gateway, { method: 'DELETE', path: pathOf(key), query, headers });

/** `DeleteObjects` has its condition in its body, and only for an ETag. */
const removeListed = (key: string, headers: Headers, more = '') =>
  exchange(gateway, {
    method: 'POST',
    path: '/private',
    query: { delete: '' },
    body: `<Delete><Object><Key>${key}</Key>${more}<ETag>${headers['if-match']}</ETag></Object></Delete>`,
  });

const versionNow = async (key: string) =>
  (await exchange(gateway, { method: 'HEAD', path: pathOf(key) })).headers['x-amz-version-id']!;

type Write = (key: string, headers: Headers) => Promise<S3Answer>;

const rows: Readonly<Record<string, Write>> = {
  PutObject: (key, headers) => put(key, 'new', headers),
  'PostObject, among the fields': (key, headers) => formOf(key, headers, {}),
  'PostObject, in its headers': (key, headers) => formOf(key, {}, headers),
  CopyObject: async (key, headers) => {
    await put(`${key}-source`, 'copied');
    return put(key, '', { 'x-amz-copy-source': pathOf(`${key}-source`), ...headers });
  },
  CompleteMultipartUpload: async (key, headers) => completed(key, (await begun(key)).uploadId, headers),
  CreateMultipartUpload: async (key, headers) => {
    const start = await begun(key, headers);
    return start.status === 200 ? completed(key, start.uploadId) : start;
  },
  DeleteObject: (key, headers) => remove(key, {}, headers),
  'DeleteObject of a version': async (key, headers) => remove(key, { versionId: await versionNow(key) }, headers),
  DeleteObjects: (key, headers) => removeListed(key, headers),
  'DeleteObjects of a version': async (key, headers) =>
    removeListed(key, headers, `<VersionId>${await versionNow(key)}</VersionId>`),
};

/** The last one holds, and changes the file. */
const conditions: ReadonlyArray<readonly [text: string, holds: boolean, headers: (etag: string) => Headers]> = [
  ['If-Match with another ETag', false, () => ({ 'if-match': '"00000000000000000000000000000000"' })],
  ['If-None-Match: *', false, () => ({ 'if-none-match': '*' })],
  ['If-None-Match with its ETag', false, (etag) => ({ 'if-none-match': etag })],
  ['If-None-Match with its weak ETag', false, (etag) => ({ 'if-none-match': `W/${etag}` })],
  ['If-Match with its ETag', true, (etag) => ({ 'if-match': etag })],
];

const isDone = ({ status, text }: S3Answer) => status < 300 && !text.includes('<Error>');
const codeOf = ({ text }: S3Answer) => /<Code>([^<]+)/.exec(text)?.[1];
const etagOf = async (key: string) => (await exchange(gateway, { method: 'HEAD', path: pathOf(key) })).headers.etag;

describe('conditions of writes over S3', () => {
  it('are decided for every operation that writes a file', () => {
    const writes = s3Operations
      .filter(
        ({ needs, template, name, address }) =>
          needs === 'write' && !address.startsWith('GET') && (template.includes('{key}') || name === 'DeleteObjects'),
      )
      .map(({ name }) => name);
    expect(Object.keys(decided).sort()).toEqual(writes.sort());
    const named = new Set(Object.keys(rows).map((row) => row.split(/[ ,]/)[0]!));
    expect(
      Object.keys(decided)
        .filter((name) => decided[name] === 'kept')
        .sort(),
    ).toEqual([...named].sort());
  });

  it.each(Object.entries(rows))('keep the file unless they hold: %s', async (row, write) => {
    await gateway.keepDeleted('kept');
    const key = `kept/${row.replaceAll(/[ ,]/g, '-')}`;
    const etag = (await put(key, 'before')).headers.etag!;
    for (const [text, holds, headers] of conditions) {
      // DeleteObjects has no If-None-Match.
      if (row.startsWith('DeleteObjects') && text.startsWith('If-None')) continue;
      const answer = await write(key, headers(etag));
      expect([isDone(answer), codeOf(answer)], text).toEqual(holds ? [true, undefined] : [false, 'PreconditionFailed']);
      expect((await etagOf(key)) === etag, `${text}: the file is still there`).toBe(!holds);
    }
  });

  it.each(Object.entries(rows))('let one of two parallel writes win: %s', async (row, write) => {
    const key = `race-${row.replaceAll(/[ ,]/g, '-')}`;
    const etag = (await put(key, 'before')).headers.etag!;
    const answers = await Promise.all([write(key, { 'if-match': etag }), put(key, 'other', { 'if-match': etag })]);
    expect(answers.filter(isDone), answers.map(codeOf).join()).toHaveLength(1);
  });
});
