import { checksumOf } from '#server/domain/checksums/algorithms.ts';
import { postForm, type Endpoint, type Wire } from '#test/s3/signed-request.ts';
import { get, head, type Case, type Expected, type Step } from './case.ts';

interface Form {
  readonly fields?: Readonly<Record<string, string>>;
  readonly conditions?: readonly unknown[];
  readonly content?: string;
  readonly filename?: string;
  /** Replaces the whole policy. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Changes fields after the policy was signed. `undefined` removes one. */
  readonly after?: Readonly<Record<string, string | undefined>>;
  readonly bucket?: string;
}

const anHourMs = 3_600_000;
const inAnHour = () => new Date(Date.now() + anHourMs).toISOString();
const usual: readonly unknown[] = [
  { bucket: 'private' },
  ['starts-with', '$key', 'a'],
  { acl: 'private' },
  ['starts-with', '$Content-Type', 'text/'],
  ['content-length-range', 0, 1024],
];
const boundary = 'between-the-fields';

/** A form as a browser posts it. Only its policy is signed. */
function wireOf(
  endpoint: Endpoint,
  { fields, conditions = usual, content = 'form', filename = 'a.txt', policy, after, bucket = 'private' }: Form,
): Wire {
  const signed = postForm(endpoint, policy ?? { expiration: inAnHour(), conditions }, {
    key: 'a.txt',
    acl: 'private',
    'Content-Type': 'text/plain',
    ...fields,
  });
  const all = Object.entries({ ...signed, ...after }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const parts = all.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
      `filename="${filename}"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
  );
  const headers = [
    ['host', new URL(endpoint.url).host],
    ['content-type', `multipart/form-data; boundary=${boundary}`],
    ['content-length', String(body.length)],
  ] as const;
  return { method: 'POST', target: `/${bucket}`, headers, body };
}

function post(form: Form, expected: Expected = { status: 204, body: '', headers: { etag: /^"[0-9a-f]{32}"$/ } }): Step {
  return {
    request: { method: 'POST', path: `/${form.bucket ?? 'private'}` },
    expected,
    sent: (_, endpoint) => wireOf(endpoint, form),
  };
}

const read = (key: string, body = 'form') => get(key, {}, { status: 200, body });
const also = (...more: readonly unknown[]) => [...usual, ...more];
const mebibyte = 1_048_576;

const taken: readonly Case[] = [
  { name: 'a form stores its file', steps: [post({}), read('a.txt')] },
  {
    name: 'a form without a Content-Type',
    steps: [
      post({ conditions: usual.filter((_, at) => at !== 3), after: { 'Content-Type': undefined } }),
      read('a.txt'),
    ],
  },
  {
    name: 'a form asks for 201',
    steps: [
      post(
        { fields: { success_action_status: '201' }, conditions: also(['eq', '$success_action_status', '201']) },
        { status: 201, texts: { Key: ['a.txt'], Bucket: ['private'], ETag: [/.+/], Location: [/\/private\/a\.txt$/] } },
      ),
    ],
  },
  {
    name: 'a form asks for an unknown status',
    steps: [
      post({ fields: { success_action_status: '404' }, conditions: also(['eq', '$success_action_status', '404']) }),
      read('a.txt'),
    ],
  },
  {
    name: 'a form redirects to a page',
    steps: [
      post(
        {
          fields: { success_action_redirect: 'http://localhost/done' },
          conditions: also(['eq', '$success_action_redirect', 'http://localhost/done']),
        },
        {
          status: 303,
          headers: { location: /^http:\/\/localhost\/done\?bucket=private&key=a\.txt&etag=%22[0-9a-f]{32}%22$/ },
        },
      ),
      read('a.txt'),
    ],
  },
  {
    name: 'a form of 3 MiB',
    steps: [
      post({
        conditions: also().map((one) =>
          Array.isArray(one) && one[0] === 'content-length-range' ? ['content-length-range', 0, 5 * mebibyte] : one,
        ),
        content: 'x'.repeat(3 * mebibyte),
      }),
      read('a.txt', 'x'.repeat(3 * mebibyte)),
    ],
  },
  {
    name: 'a form slightly larger than 4 MiB',
    steps: [
      post({
        conditions: [...usual.slice(0, -1), ['content-length-range', 4 * mebibyte, 12 * mebibyte]],
        content: 'x'.repeat(4 * mebibyte + 200),
      }),
      head('a.txt', {}, { status: 200, headers: { 'content-length': String(4 * mebibyte + 200) } }),
    ],
  },
  {
    name: 'a form whose key is the name of the file',
    steps: [post({ fields: { key: '${filename}' }, filename: 'another.txt' }), read('another.txt')],
  },
  {
    name: 'a field that the policy need not name',
    steps: [post({ fields: { 'x-ignore-this': 'anything' } }), read('a.txt')],
  },
  {
    name: 'fields and conditions in any case',
    steps: [
      post({
        conditions: [
          { bUcKeT: 'private' },
          ['StArTs-WiTh', '$KeY', 'a'],
          { AcL: 'private' },
          ['StArTs-WiTh', '$CoNtEnT-TyPe', 'text/'],
          ['content-length-range', 0, 1024],
        ],
        after: { key: undefined, kEy: 'a.txt', acl: undefined, aCl: 'private' },
      }),
      read('a.txt'),
    ],
  },
  {
    name: 'a dollar sign in a key',
    steps: [
      post({
        fields: { key: '\\$a.txt' },
        conditions: [{ bucket: 'private' }, ['starts-with', '$key', '\\$a'], ...usual.slice(2)],
      }),
      read('\\$a.txt'),
    ],
  },
  {
    name: 'metadata in a form',
    steps: [
      post({ fields: { 'x-amz-meta-by': 'a form' }, conditions: also(['starts-with', '$x-amz-meta-by', 'a']) }),
      head('a.txt', {}, { status: 200, headers: { 'x-amz-meta-by': 'a form' } }),
    ],
  },
  {
    name: 'the right checksum in a form',
    steps: [
      post({
        fields: { 'x-amz-checksum-sha256': checksumOf('SHA256', Buffer.from('form')) },
        conditions: also(['starts-with', '$x-amz-checksum-sha256', '']),
      }),
      head(
        'a.txt',
        { 'x-amz-checksum-mode': 'ENABLED' },
        { status: 200, headers: { 'x-amz-checksum-sha256': checksumOf('SHA256', Buffer.from('form')) } },
      ),
    ],
  },
];

const denied: Expected = { status: 403, code: 'AccessDenied' };
const invalid: Expected = { status: 400, code: 'InvalidPolicyDocument' };
const refused: ReadonlyArray<readonly [name: string, form: () => Form, expected: Expected]> = [
  [
    'an unknown key pair',
    () => ({
      after: {
        'x-amz-credential': `nobody/${new Date().toISOString().slice(0, 10).replaceAll('-', '')}/auto/s3/aws4_request`,
      },
    }),
    { status: 403, code: 'InvalidAccessKeyId' },
  ],
  [
    'another signature',
    () => ({ after: { 'x-amz-signature': '0'.repeat(64) } }),
    { status: 403, code: 'SignatureDoesNotMatch' },
  ],
  ['no signature', () => ({ after: { 'x-amz-signature': undefined } }), { status: 400, code: 'InvalidArgument' }],
  ['no key', () => ({ after: { key: undefined } }), { status: 400, code: 'InvalidArgument' }],
  [
    'a policy with a malformed expiration',
    () => ({ policy: { expiration: '2099-01-01 00:00:00+00:00', conditions: usual } }),
    invalid,
  ],
  [
    'an expired policy',
    () => ({ policy: { expiration: new Date(Date.now() - anHourMs).toISOString(), conditions: usual } }),
    denied,
  ],
  ['a policy without an expiration', () => ({ policy: { conditions: usual } }), invalid],
  ['a policy with EXPIRATION in capitals', () => ({ policy: { EXPIRATION: inAnHour(), conditions: usual } }), invalid],
  ['a policy without conditions', () => ({ policy: { expiration: inAnHour() } }), invalid],
  ['a policy with CONDITIONS in capitals', () => ({ policy: { expiration: inAnHour(), CONDITIONS: usual } }), invalid],
  ['an empty condition', () => ({ conditions: [{}] }), invalid],
  ['no condition for the bucket', () => ({ conditions: usual.slice(1) }), denied],
  ['another bucket than the policy names', () => ({ bucket: 'public', fields: { bucket: 'private' } }), denied],
  [
    'a missing field that the policy requires',
    () => ({ conditions: also(['starts-with', '$x-amz-meta-by', 'a']) }),
    denied,
  ],
  [
    'a field with another value than the policy requires',
    () => ({ fields: { 'x-amz-meta-by': 'a form' }, conditions: also(['eq', '$x-amz-meta-by', '']) }),
    denied,
  ],
  [
    'a file over the range of the policy',
    () => ({ conditions: [...usual.slice(0, -1), ['content-length-range', 0, 0]] }),
    { status: 400, code: 'EntityTooLarge' },
  ],
  [
    'a file under the range of the policy',
    () => ({ conditions: [...usual.slice(0, -1), ['content-length-range', 512, 1000]] }),
    { status: 400, code: 'EntityTooSmall' },
  ],
  ['a range without an end', () => ({ conditions: [...usual.slice(0, -1), ['content-length-range', 0]] }), invalid],
  [
    'a range that begins below 0',
    () => ({ conditions: [...usual.slice(0, -1), ['content-length-range', -1, 0]] }),
    { status: 400, code: /^(InvalidPolicyDocument|EntityTooLarge)$/ },
  ],
  [
    'a malformed checksum',
    () => ({
      fields: { 'x-amz-checksum-sha256': 'none' },
      conditions: also(['starts-with', '$x-amz-checksum-sha256', '']),
    }),
    { status: 400, code: /^(InvalidRequest|BadDigest)$/ },
  ],
];

/** PostObject: forms with signed policies. */
export const forms: readonly Case[] = [
  ...taken,
  ...refused.map(([name, form, expected]) => ({
    name: `a form with ${name}`,
    steps: [() => post(form(), expected), get('a.txt', {}, { status: 404, code: 'NoSuchKey' })],
  })),
];
