import { ask, get, pathOf, put, type Case } from './case.ts';

/*
 * The configurations of a bucket or a file, none of which can be changed here. A configuration that matches the fixed
 * behaviour can be written, and a missing one can be removed. All others are refused with advice what to do instead.
 */

/** Whether this run encrypts files, so that the bucket has a configuration that cannot be removed. */
export const isEncrypted = process.env.CUBBY_TEST_ENCRYPTED === '1';

const removable = [
  'cors',
  ...(isEncrypted ? [] : ['encryption']),
  'lifecycle',
  'ownershipControls',
  'policy',
  'publicAccessBlock',
  'replication',
  'tagging',
  'website',
];

/** A parameter, documents that match the fixed behaviour, and one that requests something else. */
const fixed: ReadonlyArray<readonly [parameter: string, same: readonly string[], other: string]> = [
  [
    'accelerate',
    ['<AccelerateConfiguration><Status>Suspended</Status></AccelerateConfiguration>'],
    '<AccelerateConfiguration><Status>Enabled</Status></AccelerateConfiguration>',
  ],
  [
    'logging',
    ['<BucketLoggingStatus/>'],
    '<BucketLoggingStatus><LoggingEnabled><TargetBucket>private</TargetBucket></LoggingEnabled></BucketLoggingStatus>',
  ],
  [
    'notification',
    [
      '<NotificationConfiguration/>',
      '<NotificationConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\n</NotificationConfiguration>',
    ],
    '<NotificationConfiguration><TopicConfiguration><Topic>t</Topic></TopicConfiguration></NotificationConfiguration>',
  ],
  [
    'requestPayment',
    ['<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>'],
    '<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>',
  ],
  [
    'tagging',
    ['<Tagging><TagSet/></Tagging>', '<Tagging><TagSet></TagSet></Tagging>'],
    '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>',
  ],
  [
    'versioning',
    ['<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>'],
    '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
  ],
];

/** The advice that each refusal must give. */
const instead: Readonly<Record<string, RegExp>> = {
  cors: /every origin/,
  encryption: /before they are sent/,
  lifecycle: /\/v1\/account\/settings/,
  policy: /scopes and prefixes/,
  publicAccessBlock: /bucket private/,
  ownershipControls: /account/,
  replication: /rclone/,
  website: /bucket public/,
};

/** Headers of a write that ask for something the gateway does not have. */
const headers: ReadonlyArray<readonly [name: string, value: string, words: RegExp]> = [
  ['x-amz-tagging', 'a=b', /x-amz-meta-/],
  ['x-amz-server-side-encryption', 'aws:kms', /before they are sent/],
  ['x-amz-object-lock-mode', 'GOVERNANCE', /cannot be locked/],
  ['x-amz-website-redirect-location', '/b', /static sites/],
];

export const configurations: readonly Case[] = [
  ...removable.map((parameter): Case => ({
    name: `${parameter} can be removed, although it is not set`,
    steps: [
      ask('DELETE', '/private', { [parameter]: '' }, { status: 204, body: '' }),
      ask('DELETE', '/other', { [parameter]: '' }, { status: 404, code: 'NoSuchBucket' }),
    ],
  })),
  ...fixed.map(([parameter, same, other]): Case => ({
    name: `${parameter} can be set to its fixed value, and to no other`,
    steps: [
      ...same.map((body) => ask('PUT', '/private', { [parameter]: '' }, { status: 200 }, { body })),
      ask(
        'PUT',
        '/private',
        { [parameter]: '' },
        { status: 501, code: 'NotImplemented', texts: { Message: [/\w+ \w+ .*\. \w+/] } },
        { body: other },
      ),
      ask('PUT', '/private', { [parameter]: '' }, { status: 400, code: 'MalformedXML' }, { body: '<a/>' }),
      ask('PUT', '/other', { [parameter]: '' }, { status: 404, code: 'NoSuchBucket' }, { body: same[0]! }),
    ],
  })),
  ...Object.entries(instead).map(([parameter, words]): Case => ({
    name: `${parameter} cannot be set, and the message says what to do instead`,
    steps: [
      ask(
        'PUT',
        '/private',
        { [parameter]: '' },
        { status: 501, code: 'NotImplemented', texts: { Message: [words] } },
        { body: '<a/>' },
      ),
    ],
  })),
  {
    name: 'an empty set of tags is accepted for a file, and others are refused with advice',
    steps: [
      put('a'),
      ask('PUT', pathOf('a'), { tagging: '' }, { status: 200 }, { body: '<Tagging><TagSet></TagSet></Tagging>' }),
      ask(
        'PUT',
        pathOf('a'),
        { tagging: '' },
        { status: 501, code: 'NotImplemented', texts: { Message: [/x-amz-meta-/] } },
        { body: '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>' },
      ),
      ask('GET', pathOf('a'), { tagging: '' }, { status: 200, texts: { Key: [] } }),
      ask(
        'PUT',
        pathOf('b'),
        { tagging: '' },
        { status: 404, code: 'NoSuchKey' },
        { body: '<Tagging><TagSet/></Tagging>' },
      ),
    ],
  },
  {
    name: 'an empty header of tags is accepted',
    steps: [put('a', 'content', { 'x-amz-tagging': '' }), get('a', {}, { status: 200, body: 'content' })],
  },
  ...headers.map(([name, value, words]): Case => ({
    name: `${name} in a write is refused with advice`,
    steps: [
      put(
        'a',
        'content',
        { [name]: value },
        { status: 501, code: 'NotImplemented', texts: { Message: [words], Header: [name] } },
      ),
      get('a', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  })),
  {
    name: 'the message about a bucket that cannot be created or deleted',
    steps: [
      ask('PUT', '/photos', {}, { status: 403, code: 'AccessDenied', texts: { Message: [/under a prefix/] } }),
      ask('DELETE', '/private', {}, { status: 403, code: 'AccessDenied', texts: { Message: [/Delete the files/] } }),
    ],
  },
];
