import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
  canonicalPaths,
  canonicalQuery,
  canonicalRequest,
  isSignatureOf,
  signatureOf,
  signedForms,
  signingKey,
  stringToSign,
} from '#server/signature-v4/canonical.ts';
import { checkPolicy, formClaim } from '#server/features/s3/door/signature/post-policy.ts';
import { shortestMs } from '#test/support/shortest.ts';

/*
 * The examples that Amazon prints in its S3 API reference, with its example key: "Authenticating Requests: Using the
 * Authorization Header", "Using Query Parameters" and "Example: Browser-Based Upload".
 */
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const scope = { date: '20130524', region: 'us-east-1' };
const timestamp = '20130524T000000Z';
const emptyHash = createHash('sha256').digest('hex');

interface Example {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
  readonly signature: string;
}

const host = 'examplebucket.s3.amazonaws.com';
const plain = { host, 'x-amz-content-sha256': emptyHash, 'x-amz-date': timestamp };
const putHash = createHash('sha256').update('Welcome to Amazon S3.').digest('hex');

const examples: readonly Example[] = [
  {
    name: 'GET of a range',
    method: 'GET',
    path: '/test.txt',
    query: '',
    headers: { ...plain, range: 'bytes=0-9' },
    payloadHash: emptyHash,
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT of a key with a dollar sign',
    method: 'PUT',
    path: '/test$file.text',
    query: '',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      host,
      'x-amz-content-sha256': putHash,
      'x-amz-date': timestamp,
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    payloadHash: putHash,
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'a subresource',
    method: 'GET',
    path: '/',
    query: 'lifecycle',
    headers: plain,
    payloadHash: emptyHash,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'a list',
    method: 'GET',
    path: '/',
    query: 'max-keys=2&prefix=J',
    headers: plain,
    payloadHash: emptyHash,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
  {
    name: 'a presigned GET',
    method: 'GET',
    path: '/test.txt',
    query:
      'X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host',
    headers: { host },
    payloadHash: 'UNSIGNED-PAYLOAD',
    signature: 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  },
];

describe('signatures of requests', () => {
  test('trim the spaces around a header and collapse those within it, for any number of spaces', () => {
    const signed = (value: string) =>
      canonicalRequest(
        {
          method: 'GET',
          rawPath: '/',
          query: '',
          signedHeaders: ['a'],
          headerValues: () => [value],
          payloadHash: emptyHash,
        },
        '/',
      ).split('\n')[3];
    expect(['', ' ', ' \tb \t', 'b  c', 'b \t c', '\u00a0b'].map(signed)).toEqual([
      'a:',
      'a:',
      'a:b',
      'a:b c',
      'a:b \t c',
      'a:\u00a0b',
    ]);
    const long = `b${' \t'.repeat(7500)}c`;
    expect(signed(long)).toHaveLength(15_004);
    // A pattern that starts again at each blank took 150 ms.
    expect(shortestMs(() => signed(long))).toBeLessThan(60);
  });

  test.each(examples)(
    'match those that Amazon prints: $name',
    ({ method, path, query, headers, payloadHash, signature }) => {
      const signable = {
        method,
        rawPath: path,
        query: canonicalQuery(query),
        signedHeaders: Object.keys(headers).sort(),
        headerValues: (name: string) => [headers[name]!],
        payloadHash,
      };
      const text = stringToSign(timestamp, scope, canonicalRequest(signable, canonicalPaths(path)[0]!));
      expect(signatureOf(signingKey(secret, scope), text)).toBe(signature);
    },
  );

  test('signedForms() adds the text of a header in Latin-1, and keeps a header in UTF-8', () => {
    const latin = 'Gr\u00fc\u00dfe';
    const utf8 = Buffer.from(latin).toString('latin1');
    const formsOf = (...values: string[]) =>
      signedForms({
        method: 'PUT',
        rawPath: '/',
        query: '',
        signedHeaders: ['x-amz-meta-a'],
        headerValues: () => values,
        payloadHash: '',
      }).map(({ headerValues }) => headerValues('x-amz-meta-a').join(','));
    expect(formsOf('plain')).toEqual(['plain']);
    expect(formsOf(utf8)).toEqual([utf8]);
    expect(formsOf(latin)).toEqual([latin, utf8]);
    // The values are read together, and together they are not UTF-8.
    expect(formsOf(utf8, latin)).toEqual([`${utf8},${latin}`, `${Buffer.from(utf8).toString('latin1')},${utf8}`]);
  });

  test('isSignatureOf() refuses every other signature, of any length', () => {
    const key = signingKey(secret, scope);
    const right = signatureOf(key, 'text');
    expect(isSignatureOf(key, 'text', right)).toBe(true);
    for (const wrong of ['', right.slice(1), `${right}0`, right.toUpperCase(), signatureOf(key, 'texts')])
      expect(isSignatureOf(key, 'text', wrong)).toBe(false);
  });

  test('formClaim() accepts the signature of the form that Amazon prints', () => {
    const policy = [
      '{ "expiration": "2015-12-30T12:00:00.000Z",',
      '  "conditions": [',
      '    {"bucket": "sigv4examplebucket"},',
      '    ["starts-with", "$key", "user/user1/"],',
      '    {"acl": "public-read"},',
      '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
      '    ["starts-with", "$Content-Type", "image/"],',
      '    {"x-amz-meta-uuid": "14365123651274"},',
      '    {"x-amz-server-side-encryption": "AES256"},',
      '    ["starts-with", "$x-amz-meta-tag", ""],',
      '',
      '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
      '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
      '    {"x-amz-date": "20151229T000000Z" }',
      '  ]',
      '}',
    ].join('\r\n');
    const fields = new Map([
      ['policy', Buffer.from(policy).toString('base64')],
      ['x-amz-algorithm', 'AWS4-HMAC-SHA256'],
      ['x-amz-credential', 'AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request'],
      ['x-amz-date', '20151229T000000Z'],
      ['x-amz-signature', '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e'],
    ]);
    expect(formClaim(fields).isSignedBy(secret)).toBe(true);
    expect(formClaim(fields).isSignedBy(`${secret}x`)).toBe(false);
  });
});

describe('canonical forms', () => {
  test.each([
    ['/a%20b', ['/a%20b']],
    ['/a+b', ['/a%2Bb', '/a+b']],
    ['/a%2fb', ['/a/b', '/a%2fb']],
    ['/a//b/./..', ['/a//b/./..']],
    ['/~%7E', ['/~~', '/~%7E']],
    ['/%C3%BC', ['/%C3%BC']],
    ["/a!'()*", ['/a%21%27%28%29%2A', "/a!'()*"]],
  ])('canonicalPaths() of %s are %j', (path, expected) => expect(canonicalPaths(path)).toEqual(expected));

  test.each([
    ['', ''],
    ['acl', 'acl='],
    ['b=2&a=1', 'a=1&b=2'],
    ['a=2&a=10&a=1', 'a=1&a=10&a=2'],
    ['prefix=a+b%2Fc', 'prefix=a%20b%2Fc'],
    ['a=b=c', 'a=b%3Dc'],
    ['%61=1&A=2', 'A=2&a=1'],
  ])('canonicalQuery() of %j is %j', (query, expected) => expect(canonicalQuery(query)).toBe(expected));
});

describe('checkPolicy()', () => {
  const check = (conditions: string, fields: Readonly<Record<string, string>> = {}) => {
    const policy = Buffer.from(`{"expiration": "2099-01-01T00:00:00Z", "conditions": ${conditions}}`).toString(
      'base64',
    );
    return () => checkPolicy(new Map(Object.entries({ policy, ...fields })), Date.now());
  };

  test('refuses a condition of any depth', () => {
    expect(check(`[${'['.repeat(20_000)}${']'.repeat(20_000)}]`)).toThrow(
      expect.objectContaining({ code: 'InvalidPolicyDocument' }),
    );
  });

  test('refuses a size of any depth', () => {
    const size = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
    for (const range of [`${size}, 9`, `1, ${size}`, '[1], 9', 'null, 9'])
      expect(check(`[["content-length-range", ${range}]]`)).toThrow(
        expect.objectContaining({ code: 'InvalidPolicyDocument' }),
      );
  });

  test('checks thousands of conditions on thousands of types without blocking other requests', () => {
    const conditions = Array.from({ length: 1300 }, () => '["starts-with", "$content-type", ""]');
    const checked = check(`[${conditions.join()}]`, { 'content-type': 'a,'.repeat(30_000) });
    // It took 2.5 s.
    expect(shortestMs(() => expect(checked).toThrow(expect.objectContaining({ code: 'AccessDenied' })))).toBeLessThan(
      250,
    );
  });
});
