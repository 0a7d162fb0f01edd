import * as sdk from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Request } from '#server/doors/s3/request.ts';
import { routeOf, s3Operations } from '#server/doors/s3/routes.ts';
import { parseQuery } from '#server/http/query.ts';
import { exchange, sendWire, textOf, type S3Answer } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { postForm, presign, sign } from '#test/s3/signed-request.ts';

/** An operation of S3, as the SDK for JavaScript describes it. */
interface Described {
  readonly name: string;
  readonly method: string;
  /** `/` or `/{Key+}`, with the parameters that name the operation. */
  readonly path: string;
  readonly hasBucket: boolean;
  readonly parameters: readonly string[];
}

type Schema = readonly [kind: number, namespace: string, name: string, traits: any, ...rest: any[]];

/** Reads all operations from the schemas of the SDK. */
function describedOperations(): Described[] {
  const schemas = Object.values(sdk).filter((value): value is any => Array.isArray(value)) as Schema[];
  return schemas
    .filter(([kind]) => kind === 9)
    .map(([, , name, { http }, given]) => {
      const [, , , , members = [], types = []] = typeof given === 'function' ? given() : given;
      const parameters = types.flatMap((type: any) => (Array.isArray(type) && type[1]?.httpQuery) ?? []);
      return {
        name,
        method: http[0],
        path: http[1],
        hasBucket: members.includes('Bucket'),
        parameters: parameters.filter((one: unknown) => typeof one === 'string'),
      };
    });
}

function requestOf({ method, path, hasBucket, name }: Described, more = ''): S3Request {
  const copies = ['CopyObject', 'UploadPartCopy'].includes(name);
  return {
    method,
    bucket: hasBucket ? 'private' : undefined,
    key: path.includes('{Key+}') ? 'a' : undefined,
    query: parseQuery(path + (more && `${path.includes('?') ? '&' : '?'}${more}`)),
    header: (header: string) => (copies && header === 'x-amz-copy-source' ? '/private/b' : undefined),
  } as unknown as S3Request;
}

/** The name of the operation that a request gets, or the refusal. */
function meant(request: S3Request): { readonly name: string; readonly words?: string | undefined } {
  try {
    return { name: routeOf(request).name };
  } catch (error) {
    if (!(error instanceof S3Refusal)) throw error;
    return { name: error.code, words: error.words };
  }
}

/** Operations that other hosts of S3 have, at addresses that mean something else here. */
const elsewhere: Readonly<Record<string, string>> = {
  ListDirectoryBuckets: 'ListBuckets',
  WriteGetObjectResponse: 'MethodNotAllowed',
};

describe('the operations of S3 that the SDK knows', () => {
  const described = describedOperations();

  test('are all read from its schemas', () => {
    expect(described.length).toBeGreaterThan(100);
    expect(described.map(({ name }) => name)).toEqual(expect.arrayContaining(['PutObject', 'ListObjectsV2']));
    expect(described.find(({ name }) => name === 'GetObject')?.parameters).toContain('versionId');
  });

  const served = new Map(s3Operations.map((route) => [route.name, route]));

  test.each(described.map((one) => [one.name, one] as const))(
    '%s is served, or refused in a sentence of its own',
    (name, operation) => {
      const part = ['uploadId', 'partNumber'].filter((one) => operation.parameters.includes(one));
      const needed = name === 'GetObject' || name === 'HeadObject' ? [] : part;
      const { name: got, words } = meant(requestOf(operation, needed.map((one) => `${one}=1`).join('&')));
      if (served.has(name)) expect(got).toBe(name);
      else if (name in elsewhere) expect(got).toBe(elsewhere[name]);
      else {
        expect(got, 'Decide what this operation is: a row in routes.ts, or a sentence in not-implemented.ts.').toBe(
          'NotImplemented',
        );
        expect(words).toMatch(/\. \w|^\w+ \w+ .*\.$/);
      }
    },
  );

  test.each(described.filter(({ name }) => served.has(name)).map((one) => [one.name, one.parameters] as const))(
    '%s takes all of its parameters',
    (name, parameters) => expect([...served.get(name)!.known]).toEqual(expect.arrayContaining([...parameters])),
  );
});

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
