import { createHash } from 'node:crypto';

import { byAddress, get, pathOf, put, type Case } from './case.ts';

const path = pathOf('a');
const hourSeconds = 3600;
const weekSeconds = 7 * 24 * hourSeconds;
const stored = get('a', {}, { status: 200, body: 'content' });

const hashOf = (body: string) => createHash('sha256').update(body).digest('hex');
const hashes = (hash: string) => ({ 'x-amz-content-sha256': hash });

/** Presigned addresses. */
export const addresses: readonly Case[] = [
  {
    name: 'an address reads a file',
    steps: [put('a'), byAddress({ path, expiresSeconds: 100_000 }, { status: 200, body: 'content' })],
  },
  {
    name: 'OPTIONS without an origin',
    steps: [put('a'), byAddress({ path, expiresSeconds: 100_000 }, { status: 400, code: /./ }, 'OPTIONS')],
  },
  {
    name: 'an address writes a file with the header that it was signed with',
    steps: [
      byAddress({ method: 'PUT', path, body: 'content', headers: { 'x-amz-acl': 'private' } }, { status: 200 }),
      byAddress({ path }, { status: 200, body: 'content' }),
    ],
  },
  {
    name: 'an address valid for 0 seconds',
    steps: [put('a'), byAddress({ path, expiresSeconds: 0 }, { status: 403, code: 'AccessDenied' })],
  },
  {
    name: 'an address valid for more than seven days',
    steps: [
      put('a'),
      byAddress({ path, expiresSeconds: weekSeconds + 1 }, { status: 400, code: 'AuthorizationQueryParametersError' }),
    ],
  },
  {
    name: 'an address valid for less than 0 seconds',
    steps: [
      put('a'),
      byAddress({ path, expiresSeconds: -7 }, { status: 400, code: 'AuthorizationQueryParametersError' }),
    ],
  },
  {
    name: 'an expired address writes nothing',
    steps: [
      put('a'),
      () =>
        byAddress(
          { method: 'PUT', path, body: 'new', expiresSeconds: 60, signedAtMs: Date.now() - 2 * hourSeconds * 1000 },
          { status: 403, code: 'AccessDenied' },
        ),
      stored,
    ],
  },
  {
    name: 'an address with the hash of the body',
    steps: [
      byAddress({ method: 'PUT', path, body: 'content', headers: hashes(hashOf('content')) }, { status: 200 }),
      stored,
    ],
  },
  ...[hashOf('other'), 'invalid', 'unsigned-payload'].map((hash) => ({
    name: `an address whose hash of the body is ${hash.slice(0, 20)}`,
    steps: [
      byAddress(
        { method: 'PUT', path, body: 'content', headers: hashes(hash) },
        {
          status: 400,
          code: 'XAmzContentSHA256Mismatch',
          texts: { ClientComputedContentSHA256: [hash], S3ComputedContentSHA256: [hashOf('content')] },
        },
      ),
      get('a', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  })),
  {
    name: 'an address can have any hash when no body is read',
    steps: [
      put('a'),
      ...['GET', 'HEAD', 'DELETE'].map((method) =>
        byAddress({ method, path, headers: hashes('invalid') }, { status: method === 'DELETE' ? 204 : 200 }),
      ),
    ],
  },
  {
    name: 'an address takes no body in chunks',
    steps: [
      byAddress(
        {
          method: 'PUT',
          path,
          body: '0\r\n\r\n',
          headers: { ...hashes('STREAMING-UNSIGNED-PAYLOAD-TRAILER'), 'x-amz-decoded-content-length': '0' },
        },
        { status: 400, code: 'IncompleteBody', texts: { NumberBytesExpected: ['0'], NumberBytesProvided: ['5'] } },
      ),
      get('a', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  },
];
