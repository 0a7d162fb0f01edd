import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { encodePath, encodeQuery, presignQuery, signHeaders } from '#server/signature-v4/sign.ts';

/*
 * The examples that Amazon prints in its S3 API reference, with its example key.
 */
const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const at = Date.parse('2013-05-24T00:00:00Z');
const host = 'examplebucket.s3.amazonaws.com';
const emptyHash = createHash('sha256').digest('hex');

describe('signHeaders()', () => {
  it('makes the signature of Amazon\'s example "GET Object"', () => {
    const request = { method: 'GET', path: '/test.txt', query: {}, headers: { host, range: 'bytes=0-9' } };
    expect(signHeaders(keys, request, emptyHash, at)).toEqual({
      host,
      range: 'bytes=0-9',
      'x-amz-content-sha256': emptyHash,
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    });
  });

  it('makes the signature of Amazon\'s example "Get Bucket (List Objects)"', () => {
    const request = { method: 'GET', path: '/', query: { prefix: 'J', 'max-keys': '2' }, headers: { host } };
    expect(signHeaders(keys, request, emptyHash, at).authorization).toMatch(
      /34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
    );
  });
});

describe('presignQuery()', () => {
  it('makes the signature of Amazon\'s example "Using Query Parameters"', () => {
    const request = { method: 'GET', path: '/test.txt', query: {}, headers: { host } };
    expect(presignQuery(keys, request, 86_400, at)).toBe(
      'X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });
});

describe('encodePath() and encodeQuery()', () => {
  it('encode everything but unreserved characters', () => {
    expect(encodePath("/bucket/a b+c/ü!'()*~")).toBe('/bucket/a%20b%2Bc/%C3%BC%21%27%28%29%2A~');
    expect(encodeQuery({ uploads: '', prefix: 'a/b c+d', 'list-type': '2' })).toBe(
      'list-type=2&prefix=a%2Fb%20c%2Bd&uploads=',
    );
  });
});
