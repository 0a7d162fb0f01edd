import { textOf, type S3Answer } from '#test/s3/exchange.ts';
import { ask, get, pathOf, put, type Case, type Expected, type Step } from './case.ts';

/*
 * The bucket decides who can read. An ACL that matches the bucket is accepted in each of its forms and changes nothing.
 * Any other ACL is refused, and the message names the bucket to write to.
 */

const everyone = 'http://acs.amazonaws.com/groups/global/AllUsers';
const signedIn = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers';
type Bucket = 'private' | 'public';

const otherBucket = { private: /bucket public/, public: /bucket private/ };
const refusedHeader = (bucket: Bucket): Expected => ({
  status: 400,
  code: 'AccessControlListNotSupported',
  texts: { Message: [otherBucket[bucket]] },
});
const refusedList = (bucket: Bucket): Expected => ({
  status: 501,
  code: 'NotImplemented',
  texts: { Message: [otherBucket[bucket]] },
});

const putIn = (
  bucket: Bucket,
  headers: Readonly<Record<string, string>> = {},
  expected: Expected = { status: 200 },
): Step => ask('PUT', pathOf('a', bucket), {}, expected, { body: 'content', headers });
const acl = (path: string): Step => ask('GET', path, { acl: '' }, { status: 200 });
const setAcl = (
  path: string,
  body: string,
  expected: Expected = { status: 200 },
  headers: Readonly<Record<string, string>> = {},
): Step => ask('PUT', path, { acl: '' }, expected, { body, headers });

/** Returns the account's own id from the first response. */
const ownerOf = ([first]: readonly S3Answer[]): string => textOf(first!.text, 'ID')!;

type Grant = readonly [kind: 'ID' | 'URI' | 'EmailAddress', grantee: string, permission: string];
const grantXml = ([kind, grantee, permission]: Grant): string =>
  '<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">' +
  `<${kind}>${grantee}</${kind}></Grantee><Permission>${permission}</Permission></Grant>`;
const list = (owner: string, grants: readonly Grant[]): string =>
  `<AccessControlPolicy><Owner><ID>${owner}</ID></Owner>` +
  `<AccessControlList>${grants.map(grantXml).join('')}</AccessControlList></AccessControlPolicy>`;

/** Puts a list of grants on a bucket and on a file in it. */
function listed(
  name: string,
  bucket: Bucket,
  grants: (owner: string) => readonly Grant[],
  expected: Expected = { status: 200 },
): Case {
  const paths = [`/${bucket}`, pathOf('a', bucket)];
  return {
    name: `${bucket}: a list of ${name}`,
    steps: [
      acl(`/${bucket}`),
      putIn(bucket),
      ...paths.map(
        (path) => (answers: readonly S3Answer[]) =>
          setAcl(path, list(ownerOf(answers), grants(ownerOf(answers))), expected),
      ),
    ],
  };
}

const all = (owner: string): Grant => ['ID', owner, 'FULL_CONTROL'];
const read: Grant = ['URI', everyone, 'READ'];

const lists: readonly Case[] = [
  ...(['private', 'public'] as const).flatMap((bucket): Case[] => [
    {
      name: `${bucket}: the list that was read is accepted unchanged on bucket and file`,
      steps: [
        putIn(bucket),
        ...[`/${bucket}`, pathOf('a', bucket)].flatMap((path) => [
          acl(path),
          (answers: readonly S3Answer[]) => setAcl(path, answers.at(-1)!.text),
          (answers: readonly S3Answer[]) => ask('GET', path, { acl: '' }, { status: 200, body: answers.at(-2)!.text }),
        ]),
      ],
    },
    listed('somebody else', bucket, (owner) => [all(owner), ['ID', 'somebody', 'READ']], refusedList(bucket)),
    listed(
      'an address of mail',
      bucket,
      (owner) => [all(owner), ['EmailAddress', 'a@example.com', 'READ']],
      refusedList(bucket),
    ),
    listed('everyone who may write', bucket, (owner) => [all(owner), ['URI', everyone, 'WRITE']], refusedList(bucket)),
    listed(
      'less than everything for the owner',
      bucket,
      (owner) => [['ID', owner, 'READ'], ...(bucket === 'public' ? [read] : [])],
      refusedList(bucket),
    ),
    {
      name: `${bucket}: a list with another owner`,
      steps: [
        acl(`/${bucket}`),
        putIn(bucket),
        setAcl(pathOf('a', bucket), list('somebody', []), { status: 403, code: 'AccessDenied' }),
      ],
    },
    {
      name: `${bucket}: no list and no header`,
      steps: [putIn(bucket), setAcl(pathOf('a', bucket), '', { status: 400, code: 'MissingSecurityHeader' })],
    },
    {
      name: `${bucket}: a list of a missing file`,
      steps: [
        acl(`/${bucket}`),
        (answers) =>
          setAcl(pathOf('a', bucket), list(ownerOf(answers), [all(ownerOf(answers))]), {
            status: 404,
            code: 'NoSuchKey',
          }),
      ],
    },
    ...[
      '<AccessControlPolicy>',
      '<Other/>',
      '<AccessControlPolicy><AccessControlList><Grant>x</Grant></AccessControlList></AccessControlPolicy>',
      '<AccessControlPolicy><AccessControlList><Grant><Permission>READ</Permission></Grant></AccessControlList>' +
        '</AccessControlPolicy>',
      '<AccessControlPolicy><AccessControlList><Grant><Grantee><URI>a</URI><ID>b</ID></Grantee><Permission>' +
        'READ</Permission></Grant></AccessControlList></AccessControlPolicy>',
      '<AccessControlPolicy><AccessControlList><Grant><Grantee><ID>a</ID></Grantee><Permission>ALL</Permission>' +
        '</Grant></AccessControlList></AccessControlPolicy>',
    ].map((body, at): Case => ({
      name: `${bucket}: a malformed list ${at + 1}`,
      steps: [putIn(bucket), setAcl(pathOf('a', bucket), body, { status: 400, code: 'MalformedACLError' })],
    })),
  ]),
  listed('everyone who may read', 'private', (owner) => [all(owner), read], refusedList('private')),
  listed('the owner alone', 'public', (owner) => [all(owner)], refusedList('public')),
  listed('nobody, because the owner can do everything', 'private', () => []),
  listed('everyone who may read, and nobody else', 'public', () => [read]),
  listed('all who have signed in', 'public', (owner) => [all(owner), ['URI', signedIn, 'READ']], refusedList('public')),
  {
    name: 'the list of a private file is refused for its public copy as not implemented, so that s3cmd keeps the copy',
    steps: [
      put('a'),
      acl(pathOf('a')),
      ask('PUT', '/public/a', {}, { status: 200 }, { headers: { 'x-amz-copy-source': '/private/a' } }),
      (answers) => setAcl('/public/a', answers[1]!.text, refusedList('public')),
      ask('GET', '/public/a', {}, { status: 200, body: 'content' }),
    ],
  },
];

/** Headers with an ACL, and the buckets that say the same. */
const headers: ReadonlyArray<
  readonly [name: string, headers: (owner: string) => Readonly<Record<string, string>>, agreesWith: readonly Bucket[]]
> = [
  ['private', () => ({ 'x-amz-acl': 'private' }), ['private']],
  ['public-read', () => ({ 'x-amz-acl': 'public-read' }), ['public']],
  ['public-read-write', () => ({ 'x-amz-acl': 'public-read-write' }), []],
  ['authenticated-read', () => ({ 'x-amz-acl': 'authenticated-read' }), []],
  ['bucket-owner-full-control', () => ({ 'x-amz-acl': 'bucket-owner-full-control' }), ['private', 'public']],
  ['everything for the owner', (owner) => ({ 'x-amz-grant-full-control': `id="${owner}"` }), ['private']],
  [
    'everything for the owner, as awscli writes it, and reading for everyone',
    (owner) => ({ 'x-amz-grant-full-control': `id=${owner}`, 'x-amz-grant-read': `uri=${everyone}` }),
    ['public'],
  ],
  ['reading for everyone', () => ({ 'x-amz-grant-read': `uri="${everyone}"` }), ['public']],
  ['reading for everyone and somebody', () => ({ 'x-amz-grant-read': `uri="${everyone}", id="somebody"` }), []],
  ['reading for an e-mail address', () => ({ 'x-amz-grant-read': 'emailAddress="a@example.com"' }), []],
  ['reading the list for everyone', () => ({ 'x-amz-grant-read-acp': `uri="${everyone}"` }), []],
];

const ways: ReadonlyArray<
  readonly [name: string, step: (bucket: Bucket, given: Readonly<Record<string, string>>, expected: Expected) => Step]
> = [
  ['PutObject', (bucket, given, expected) => putIn(bucket, given, expected)],
  [
    'CopyObject',
    (bucket, given, expected) =>
      ask('PUT', pathOf('copy', bucket), {}, expected, {
        headers: { ...given, 'x-amz-copy-source': '/private/source' },
      }),
  ],
  [
    'CreateMultipartUpload',
    (bucket, given, expected) => ask('POST', pathOf('parts', bucket), { uploads: '' }, expected, { headers: given }),
  ],
  ['PutObjectAcl', (bucket, given, expected) => setAcl(pathOf('there', bucket), '', expected, given)],
  ['PutBucketAcl', (bucket, given, expected) => setAcl(`/${bucket}`, '', expected, given)],
];

const inHeaders: readonly Case[] = (['private', 'public'] as const).flatMap((bucket) =>
  headers.map(([name, given, agreesWith]): Case => {
    const expected: Expected = agreesWith.includes(bucket) ? { status: 200 } : refusedHeader(bucket);
    return {
      name: `${bucket}: ${name}`,
      steps: [
        acl('/private'),
        put('source'),
        ask('PUT', pathOf('there', bucket), {}, { status: 200 }, { body: 'x' }),
        ...ways.map(
          ([, step]) =>
            (answers: readonly S3Answer[]) =>
              step(bucket, given(ownerOf(answers)), expected),
        ),
      ],
    };
  }),
);

const faulty: readonly Case[] = [
  ['a malformed grant', { 'x-amz-grant-read': 'everyone' }],
  ['a grant of an unknown permission', { 'x-amz-grant-delete': 'id="1"' }],
  ['an unknown canned list', { 'x-amz-acl': 'everyone' }],
].map(([name, given]): Case => ({
  name: name as string,
  steps: [
    put('a', 'content', given as Record<string, string>, { status: 400, code: 'InvalidArgument' }),
    get('a', {}, { status: 404 }),
  ],
}));

export const acls: readonly Case[] = [
  ...lists,
  ...inHeaders,
  ...faulty,
  {
    name: 'a canned list and grants in one request',
    steps: [
      put(
        'a',
        'content',
        { 'x-amz-acl': 'private', 'x-amz-grant-read': 'id="1"' },
        { status: 400, code: 'InvalidRequest' },
      ),
    ],
  },
  {
    name: 'a list in the header and another in the body',
    steps: [
      put('a'),
      acl('/private'),
      (answers) =>
        setAcl(
          pathOf('a'),
          list(textOf(answers[1]!.text, 'ID')!, []),
          { status: 400, code: 'UnexpectedContent' },
          { 'x-amz-acl': 'private' },
        ),
    ],
  },
];
