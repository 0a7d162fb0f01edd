import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { exchange, sendWire, textOf, type S3Answer } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { postForm, presign, sign } from '#test/s3/signed-request.ts';

/** Names that S3, MinIO, Ceph or Google have for other operations, misspelt names, and names that nobody has. */
const foreign = [
  'annotation',
  'abac',
  'metadataTable',
  'renameObject',
  'restore',
  'select',
  'torrent',
  'append',
  'compose',
  'quota',
  'events',
  'ACL',
  'Tagging',
  'versionid',
  'VersionId',
  'uploadid',
  'partnumber',
  'foo',
  'X-Amzn-foo',
  '',
];

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.stop());

const codeOf = ({ text, status }: S3Answer) => textOf(text, 'Code') ?? String(status);

describe.each(foreign)('a request with the parameter "%s"', (name) => {
  const refused = ['NotImplemented', 'InvalidArgument'];
  const query = { [name]: '' };

  test('neither writes nor deletes a file', async () => {
    const path = '/private/precious';
    await exchange(gateway, { method: 'PUT', path, body: 'precious' });
    const answers = [
      await exchange(gateway, { method: 'PUT', path, query, body: 'note' }),
      await exchange(gateway, { method: 'PUT', path, query, headers: { 'x-amz-copy-source': '/private/other' } }),
      await exchange(gateway, { method: 'DELETE', path, query }),
      await exchange(gateway, { method: 'POST', path, query: { ...query, uploads: '' } }),
      await exchange(gateway, {
        method: 'POST',
        path: '/private',
        query: { ...query, delete: '' },
        body: '<Delete><Object><Key>precious</Key></Object></Delete>',
      }),
      await sendWire(gateway, {
        ...sign(gateway, { path }),
        method: 'PUT',
        target: presign(gateway, { method: 'PUT', path, query }),
        headers: [
          ['host', new URL(gateway.url).host],
          ['content-length', '4'],
        ],
        body: Buffer.from('note'),
      }),
    ];
    for (const answer of answers) expect(refused).toContain(codeOf(answer));
    expect((await exchange(gateway, { path })).text).toBe('precious');
  });

  test('reads and lists nothing', async () => {
    await exchange(gateway, { method: 'PUT', path: '/private/precious', body: 'precious' });
    for (const [path, more] of [
      ['/private/precious', {}],
      ['/private', {}],
      ['/private', { 'list-type': '2' }],
      ['/', {}],
    ] as const)
      expect(refused, path).toContain(codeOf(await exchange(gateway, { path, query: { ...more, ...query } })));
  });

  test('is named in the refusal', async () => {
    const answer = await exchange(gateway, { method: 'DELETE', path: '/private/precious', query });
    if (codeOf(answer) === 'InvalidArgument') expect(textOf(answer.text, 'ArgumentName')).toBe(name);
  });
});

test('a misspelt name gets the right one as advice', async () => {
  const answer = await exchange(gateway, { method: 'DELETE', path: '/private/a', query: { versionid: '1' } });
  expect(textOf(answer.text, 'Message')).toContain('Did you mean versionId?');
});

test('a form with a parameter in its address stores nothing', async () => {
  const expiration = new Date(Date.now() + 60_000).toISOString();
  const fields = postForm(
    gateway,
    { expiration, conditions: [{ bucket: 'private' }, { key: 'form' }] },
    { key: 'form' },
  );
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob(['text']));
  const answer = await fetch(`${gateway.url}/private?annotation`, { method: 'POST', body });
  expect(await answer.text()).toContain('NotImplemented');
  expect((await exchange(gateway, { path: '/private/form' })).status).toBe(404);
});

test.each([
  ['GET', '/private/a', { 'x-id': 'GetObject', 'x-amz-checksum-mode': 'ENABLED', 'response-content-type': 'a/b' }],
  ['GET', '/private', { 'list-type': '2', 'fetch-owner': 'true', 'encoding-type': 'url', metadata: 'true' }],
  ['GET', '/private', { versions: '', 'max-keys': '1', 'key-marker': 'a', prefix: '' }],
  ['PUT', '/private/a', { 'X-Amz-Meta-Colour': 'green', 'x-id': 'PutObject' }],
  ['DELETE', '/private/a', { versionId: 'null', 'x-id': 'DeleteObject' }],
] as const)('%s %s with %o is served', async (method, path, query) => {
  await exchange(gateway, { method: 'PUT', path: '/private/a', body: 'a' });
  expect((await exchange(gateway, { method, path, query })).status).toBeLessThan(300);
});
