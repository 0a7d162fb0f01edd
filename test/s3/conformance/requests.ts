import { textOf } from '#test/s3/exchange.ts';
import { ask, etagOf, get, md5, pathOf, put, type Case, type Expected } from './case.ts';
import { isEncrypted } from './configurations.ts';

const deleted = (body: string, expected: Expected, headers: Readonly<Record<string, string>> = {}) =>
  ask('POST', '/private', { delete: '' }, expected, { body, headers });
const naming = (keys: readonly string[], more = '') =>
  `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${more}` +
  `${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join('')}</Delete>`;

const batches: readonly Case[] = [
  {
    name: 'several files are deleted in one request',
    steps: [
      put('a'),
      put('b'),
      put('c'),
      deleted(naming(['a', 'b']), { status: 200, texts: { Key: ['a', 'b'], Code: [] } }),
      ask('GET', '/private', {}, { status: 200, texts: { Key: ['c'] } }),
    ],
  },
  {
    name: 'a missing key counts as deleted',
    steps: [deleted(naming(['a']), { status: 200, texts: { Key: ['a'], Code: [] } })],
  },
  {
    name: 'a quiet deletion lists no keys',
    steps: [
      put('a'),
      deleted(naming(['a'], '<Quiet>true</Quiet>'), { status: 200, texts: { Key: [] } }),
      get('a', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  },
  {
    name: 'keys with entities of XML',
    steps: [
      put('a&<b>'),
      deleted(naming(['a&amp;&#60;b&gt;']), { status: 200, texts: { Key: ['a&<b>'] } }),
      get('a&<b>', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  },
  {
    name: 'keys with spaces at their ends',
    steps: [
      put(' a '),
      deleted(naming([' a ']), { status: 200, texts: { Key: [' a '] } }),
      get(' a ', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  },
  {
    name: 'conditions of directory buckets keep the file',
    steps: [
      put('a'),
      ...['x-amz-if-match-size', 'x-amz-if-match-last-modified-time'].map((name) =>
        ask('DELETE', pathOf('a'), {}, { status: 501, code: 'NotImplemented' }, { headers: { [name]: '7' } }),
      ),
      ...['<Size>8</Size>', '<LastModifiedTime>Sat, 21 Nov 2026 12:00:00 GMT</LastModifiedTime>'].map((condition) =>
        deleted(`<Delete><Object><Key>a</Key>${condition}</Object></Delete>`, {
          status: 200,
          texts: { Code: ['NotImplemented'], Deleted: [] },
        }),
      ),
      get('a', {}, { status: 200 }),
    ],
  },
  {
    name: 'a deleted key counts as deleted again',
    steps: [
      put('a'),
      put('b'),
      ...[1, 2].map(() => deleted(naming(['a', 'b']), { status: 200, texts: { Key: ['a', 'b'], Code: [] } })),
      ask('GET', '/private', { 'list-type': '2' }, { status: 200, texts: { Key: [], KeyCount: ['0'] } }),
    ],
  },
  {
    name: 'keys that look like numbers',
    steps: [
      put('007'),
      put('1e3'),
      deleted(naming(['007', '1e3']), { status: 200, texts: { Key: ['007', '1e3'] } }),
      ask('GET', '/private', {}, { status: 200, texts: { Key: [] } }),
    ],
  },
  {
    name: 'a deletion with the right Content-MD5',
    steps: [
      put('a'),
      deleted(naming(['a']), { status: 200 }, { 'content-md5': md5(naming(['a'])).toString('base64') }),
    ],
  },
  {
    name: 'a deletion with a wrong Content-MD5',
    steps: [
      put('a'),
      deleted(naming(['a']), { status: 400, code: 'BadDigest' }, { 'content-md5': md5('x').toString('base64') }),
      get('a', {}, { status: 200 }),
    ],
  },
  {
    name: 'a thousand keys',
    steps: [
      deleted(
        naming(
          Array.from({ length: 1000 }, (_, number) => `k${number}`),
          '<Quiet>true</Quiet>',
        ),
        { status: 200 },
      ),
    ],
  },
  {
    name: 'a thousand and one keys',
    steps: [
      deleted(naming(Array.from({ length: 1001 }, (_, number) => `k${number}`)), { status: 400, code: 'MalformedXML' }),
    ],
  },
  ...[
    '',
    'no xml',
    '<Delete>',
    '<Delete></Delete>',
    '<Other><Object><Key>a</Key></Object></Other>',
    '<Delete><Object></Object></Delete>',
  ].map((body) => ({
    name: `a malformed deletion: ${body}`,
    steps: [deleted(body, { status: 400, code: /^(MalformedXML|MissingRequestBodyError|MissingContentLength)$/ })],
  })),
  {
    name: 'a deletion with an entity that would grow',
    steps: [
      deleted(
        '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' +
          '<Delete><Object><Key>&b;</Key></Object></Delete>',
        { status: 400, code: /^(MalformedXML|InvalidRequest)$/ },
      ),
    ],
  },
];

const missing: Readonly<Record<string, string>> = {
  policy: 'NoSuchBucketPolicy',
  lifecycle: 'NoSuchLifecycleConfiguration',
  cors: 'NoSuchCORSConfiguration',
  tagging: 'NoSuchTagSet',
  website: 'NoSuchWebsiteConfiguration',
  replication: 'ReplicationConfigurationNotFoundError',
  ...(!isEncrypted && { encryption: 'ServerSideEncryptionConfigurationNotFoundError' }),
  'object-lock': 'ObjectLockConfigurationNotFoundError',
  publicAccessBlock: 'NoSuchPublicAccessBlockConfiguration',
  ownershipControls: 'OwnershipControlsNotFoundError',
};

const buckets: readonly Case[] = [
  {
    name: 'the list of buckets',
    steps: [
      ask(
        'GET',
        '/',
        {},
        {
          status: 200,
          texts: { Name: ['legacy', 'private', 'public'].toSorted(), ID: [/.+/] },
          headers: { 'content-type': /^application\/xml/ },
        },
      ),
    ],
  },
  {
    name: 'HEAD of a bucket',
    steps: [
      ask('HEAD', '/private', {}, { status: 200, body: '' }),
      ask('HEAD', '/private/', {}, { status: 200 }),
      ask('HEAD', '/other', {}, { status: 404, body: '' }),
    ],
  },
  {
    name: 'a bucket without a name',
    steps: ['//', '//private', '//private/a', '//?list-type=2'].map((path) =>
      ask('GET', path.split('?')[0]!, path.includes('?') ? { 'list-type': '2' } : {}, {
        status: 400,
        code: 'InvalidBucketName',
      }),
    ),
  },
  {
    name: 'the region of a bucket',
    steps: [
      ask('GET', '/private', { location: '' }, { status: 200, texts: { LocationConstraint: [/^(auto|)$/] } }),
      ask('GET', '/other', { location: '' }, { status: 404, code: 'NoSuchBucket' }),
    ],
  },
  {
    name: 'a bucket has no versions',
    steps: [ask('GET', '/private', { versioning: '' }, { status: 200, texts: { Status: [] } })],
  },
  { name: 'creating an existing bucket', steps: [ask('PUT', '/private', {}, { status: [200, 409] })] },
  { name: 'creating another bucket', steps: [ask('PUT', '/other', {}, { status: [400, 403, 409, 501], code: /./ })] },
  ...['_under', 'a', 'aa', '192.168.5.123', 'with_under', 'ends-', 'two..points', 'point.-dash', 'dash-.point'].map(
    (name) => ({
      name: `no bucket can be named ${name}`,
      steps: [ask('PUT', `/${name}`, {}, { status: 400, code: 'InvalidBucketName' })],
    }),
  ),
  {
    name: 'creating a bucket again leaves its files',
    steps: [
      put('a'),
      ask('PUT', '/private', {}, { status: [200, 409] }),
      ask('GET', '/private', {}, { status: 200, texts: { Key: ['a'] } }),
    ],
  },
  {
    name: 'removing an unknown bucket',
    steps: [ask('DELETE', '/other', {}, { status: 404, code: 'NoSuchBucket' })],
  },
  {
    name: 'the list of buckets, page by page',
    steps: [
      ask('GET', '/', { 'max-buckets': '1' }, { status: 200, texts: { Name: ['legacy'], ContinuationToken: [/.+/] } }),
      ([page]) =>
        ask(
          'GET',
          '/',
          { 'max-buckets': '2', 'continuation-token': textOf(page!.text, 'ContinuationToken') ?? '' },
          { status: 200, texts: { Name: ['private', 'public'], ContinuationToken: [] } },
        ),
    ],
  },
  {
    name: 'the rights to a private bucket and to a file in it',
    steps: [
      put('a'),
      ...['/private', pathOf('a')].map((path) =>
        ask(
          'GET',
          path,
          { acl: '' },
          { status: 200, texts: { ID: [/.+/, /.+/], DisplayName: [/.+/, /.+/], Permission: ['FULL_CONTROL'] } },
        ),
      ),
    ],
  },
  {
    name: 'the canned list private is accepted in the private bucket',
    steps: [
      put('a'),
      ...['/private', pathOf('a')].map((path) =>
        ask('PUT', path, { acl: '' }, { status: 200 }, { headers: { 'x-amz-acl': 'private' } }),
      ),
    ],
  },
  {
    name: 'an unknown canned list for a bucket',
    steps: [
      ask(
        'PUT',
        '/private',
        { acl: '' },
        { status: 400, code: 'InvalidArgument' },
        { headers: { 'x-amz-acl': 'public-ready' } },
      ),
    ],
  },
  {
    name: 'a file without locks has neither retention nor hold',
    steps: [
      put('a'),
      ...['retention', 'legal-hold'].map((query) =>
        ask('GET', pathOf('a'), { [query]: '' }, { status: 400, code: 'InvalidRequest' }),
      ),
    ],
  },
  {
    name: 'a file without locks accepts neither retention nor hold',
    steps: [
      put('a'),
      ask(
        'PUT',
        pathOf('a'),
        { retention: '' },
        { status: 400, code: 'InvalidRequest' },
        {
          body: '<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>2099-01-01T00:00:00Z</RetainUntilDate></Retention>',
        },
      ),
      ask(
        'PUT',
        pathOf('a'),
        { 'legal-hold': '' },
        { status: 400, code: 'InvalidRequest' },
        { body: '<LegalHold><Status>ON</Status></LegalHold>' },
      ),
    ],
  },
  {
    name: 'a bucket without versions takes no locks',
    steps: [
      ask(
        'PUT',
        '/private',
        { 'object-lock': '' },
        { status: 409, code: 'InvalidBucketState' },
        { body: '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>' },
      ),
    ],
  },
  {
    name: 'removing a bucket',
    steps: [
      ask('DELETE', '/private', {}, { status: [403, 409, 501], code: /./ }),
      ask('DELETE', '/other', {}, { status: [403, 404], code: /./ }),
    ],
  },
  ...Object.entries(missing).map(([query, code]) => ({
    name: `a bucket has no ${query}`,
    steps: [ask('GET', '/private', { [query]: '' }, { status: 404, code })],
  })),
  ...[
    'policy',
    'lifecycle',
    'cors',
    'tagging',
    'website',
    'versioning',
    'acl',
    'notification',
    'logging',
    'replication',
  ].map((query) => ({
    name: `no ${query} can be set on a bucket`,
    steps: [
      ask('PUT', '/private', { [query]: '' }, { status: [400, 403, 405, 409, 501], code: /./ }, { body: '<a/>' }),
    ],
  })),
  ...['acl', 'tagging', 'retention', 'legal-hold', 'torrent', 'restore'].map((query) => ({
    name: `${query} of a file is answered as S3 would`,
    steps: [
      put('a'),
      ask('GET', pathOf('a'), { [query]: '' }, { status: [200, 400, 403, 404, 405, 501] }),
      ask(
        'PUT',
        pathOf('a'),
        { [query]: '' },
        { status: [200, 400, 403, 404, 405, 501], ...(query !== 'acl' && { code: /./ }) },
        { body: '<a/>' },
      ),
      get('a', {}, { status: 200, body: 'content' }),
    ],
  })),
  {
    name: 'a version id of another form',
    steps: [
      put('a'),
      ask('GET', pathOf('a'), { versionId: 'null' }, { status: [200, 501] }),
      ask('GET', pathOf('a'), { versionId: 'abc' }, { status: [400, 404, 501], code: /./ }),
    ],
  },
  ...['PATCH', 'POST'].map((method) => ({
    name: `${method} of a file`,
    steps: [
      put('a'),
      ask(method, pathOf('a'), {}, { status: [400, 405, 412, 501], code: /./ }, { body: 'x' }),
      get('a', {}, { status: 200, body: 'content' }),
    ],
  })),
];

const minute = 60_000;
const signatures: readonly Case[] = [
  ...['us-east-1', 'auto', 'eu-central-1', 'anywhere'].map((region) => ({
    name: `signed for the region ${region}`,
    steps: [ask('GET', '/', {}, { status: 200 }, { region })],
  })),
  {
    name: 'signed 14 minutes ago or ahead',
    steps: [-14, 14].map(
      (minutes) => () => ask('GET', '/', {}, { status: 200 }, { signedAtMs: Date.now() + minutes * minute }),
    ),
  },
  {
    name: 'signed 16 minutes ago or ahead',
    steps: [-16, 16].map(
      (minutes) => () =>
        ask(
          'GET',
          '/',
          {},
          { status: 403, code: 'RequestTimeTooSkewed' },
          { signedAtMs: Date.now() + minutes * minute },
        ),
    ),
  },
  {
    name: 'signed headers with spaces',
    steps: [
      put('a', 'x', { 'x-amz-meta-spaces': '  two   spaces  ' }),
      get('a', {}, { status: 200, headers: { 'x-amz-meta-spaces': /two +spaces/ } }),
    ],
  },
  {
    name: 'a payload hash of another form',
    steps: [put('a', 'x', { 'x-amz-content-sha256': 'short' }, { status: 400, code: /./ })],
  },
  {
    name: 'an error names its request',
    steps: [
      get(
        'a & b',
        {},
        {
          status: 404,
          code: 'NoSuchKey',
          headers: { 'content-type': /^application\/xml/, 'x-amz-request-id': /.+/ },
          texts: { Resource: ['/private/a%20%26%20b'], Key: [/.*/] },
        },
      ),
    ],
  },
  {
    name: 'responses are not cached',
    steps: [
      put('a', 'x'),
      get('a', {}, { status: 200, headers: { 'cache-control': 'private, no-store', 'cdn-cache-control': 'no-store' } }),
    ],
  },
  {
    name: 'a GET with a body that it does not need',
    steps: [put('a', 'x'), ask('GET', pathOf('a'), {}, { status: 200, body: 'x' }, { body: 'unread' })],
  },
  {
    name: 'the ETag in the response to a HEAD is quoted',
    steps: [put('a', 'x'), ask('HEAD', pathOf('a'), {}, { status: 200, headers: { etag: etagOf('x') } })],
  },
];

export const requests: readonly Case[] = [...batches, ...buckets, ...signatures];
