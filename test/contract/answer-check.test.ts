import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { answerChecker, type Answer } from '#mocks/answer-check.ts';

const document = JSON.parse(await readFile(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'));
const check = answerChecker(document);

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const nothing = new Uint8Array();
const requestId = { 'X-Request-Id': 'req-4f9a1c77d2e84b06' };
const noStore = { 'Cache-Control': 'no-store' };
const helpFor = (code: string) => ({ Link: `</docs/errors/${code}>; rel="help"` });
const asJson = { ...requestId, 'Content-Type': 'application/json; charset=utf-8' };
const entry = {
  id: 'pub/204815162342108999/logo.png',
  size: 12_044,
  created_at: '2026-04-21T09:29:00.000Z',
  private: false,
  url: 'https://public.cubby.invalid/204815162342108999/logo.png',
  etag: '1bc29b36f623ba82aaf6724fd3b16718',
};
const page = (object: object = entry) => bytes({ status: 'success', response: { objects: [object] } });
const refusal = (code: string) => bytes({ status: 'error', code, message: 'No.' });

const list: Answer = { method: 'GET', path: '/v1/objects', status: 200, headers: asJson, body: page() };
const limited: Answer = {
  ...list,
  status: 429,
  headers: { ...asJson, ...noStore, ...helpFor('RATE_LIMITED'), 'Retry-After': '12' },
  body: refusal('RATE_LIMITED'),
};
const unknown: Answer = {
  ...list,
  path: '/v1/nothing',
  status: 404,
  headers: { ...asJson, ...helpFor('NOT_FOUND') },
  body: refusal('NOT_FOUND'),
};
const otherMethod: Answer = {
  ...list,
  method: 'PUT',
  status: 405,
  headers: { ...asJson, ...helpFor('METHOD_NOT_ALLOWED'), Allow: 'GET, HEAD' },
  body: refusal('METHOD_NOT_ALLOWED'),
};
const file: Answer = {
  method: 'GET',
  path: '/204815162342108999/invoices/2026/april-ex30.pdf',
  door: 'public',
  status: 200,
  headers: {
    ...requestId,
    'Content-Type': 'application/pdf',
    ETag: '"9e107d9d372bb6826bd81d3542a419d6"',
    'Last-Modified': 'Tue, 21 Apr 2026 09:30:00 GMT',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=60',
  },
  body: new Uint8Array([0x25, 0x50, 0xff, 0x00]),
};

function without(answer: Answer, header: string): Answer {
  const { [header]: _, ...headers } = answer.headers;
  return { ...answer, headers };
}

describe('answerChecker() finds nothing in', () => {
  const right: Record<string, Answer> = {
    'a JSON success': list,
    'an answer without the optional header RateLimit': without(list, 'RateLimit'),
    'header names in lower case': {
      ...list,
      headers: { 'x-request-id': 'req-4f9a1c77d2e84b06', 'content-type': 'application/json' },
    },
    'a refusal with its header': limited,
    'HEAD of an operation': { ...list, method: 'HEAD', body: nothing },
    'a route that is not in the contract': unknown,
    'a route of the AI gateway that is not in the contract': {
      ...unknown,
      path: '/v2/ai/nothing',
      body: bytes({ error: { message: 'No.', type: 'invalid_request_error', param: null, code: 'not_found' } }),
    },
    'a method that the path does not take': otherMethod,
    'a file of any type at a key with slashes': file,
    'HEAD of a file': { ...file, method: 'HEAD', body: nothing },
    'a stored JSON file, which is not a JSON response': {
      ...file,
      headers: { ...file.headers, 'Content-Type': 'application/json' },
      body: bytes('{"half":'),
    },
    'a file that has not changed': { ...without(file, 'Content-Type'), status: 304, body: nothing },
    'a missing file': {
      ...file,
      status: 404,
      headers: {
        ...requestId,
        ...noStore,
        ...helpFor('OBJECT_NOT_FOUND'),
        'Content-Type': 'text/plain; charset=utf-8',
      },
      body: bytes('No public file lies there.'),
    },
    'an unknown path of the public host, answered as an unknown file': {
      ...file,
      path: '/favicon.ico',
      status: 404,
      headers: { ...requestId, ...noStore, ...helpFor('OBJECT_NOT_FOUND'), 'Content-Type': 'text/plain' },
      body: bytes('No public file lies there.'),
    },
    'a method that the public host takes at no path': { ...otherMethod, door: 'public', path: '/favicon.ico' },
    'a method that the public host takes at no path, at a path of the AI gateway': {
      ...otherMethod,
      door: 'public',
      path: '/v2/ai/chat/completions',
    },
    'the root, which leads to the documentation': {
      ...list,
      path: '/',
      status: 302,
      headers: { Location: '/docs/' },
      body: nothing,
    },
    'a preflight': { ...list, method: 'OPTIONS', status: 204, headers: {}, body: nothing },
    'the documentation': {
      ...list,
      path: '/docs/',
      headers: { 'Content-Type': 'text/html' },
      body: bytes('<!DOCTYPE html>'),
    },
    'any response of the S3 gateway': { ...list, path: '/bucket', door: 's3', status: 418, headers: {} },
  };
  test.each(Object.entries(right))('%s', (_, answer) => {
    expect(check(answer)).toEqual([]);
  });
});

describe('answerChecker() finds', () => {
  const wrong: Array<[what: string, answer: Answer, found: RegExp]> = [
    ['a status that is not declared', { ...list, status: 418 }, /listObjects: status 418 is not declared \(200, 400,/],
    ['a required header that is missing', without(list, 'X-Request-Id'), /header X-Request-Id is missing/],
    [
      'a header value that breaks its pattern',
      { ...list, headers: { ...asJson, 'X-Request-Id': 'short' } },
      /header X-Request-Id must match pattern .*"short"/,
    ],
    ['a 429 without Retry-After', without(limited, 'Retry-After'), /header Retry-After is missing/],
    [
      'a 503 without Retry-After, of a code that has it',
      { ...limited, status: 503, headers: { ...asJson, ...noStore, ...helpFor('STORAGE_UNAVAILABLE') } },
      /header Retry-After is missing \(STORAGE_UNAVAILABLE\)/,
    ],
    [
      'Retry-After of a code that comes without it',
      { ...unknown, headers: { ...unknown.headers, 'Retry-After': '1' } },
      /header Retry-After does not come with NOT_FOUND/,
    ],
    [
      'X-Should-Retry of a code that comes without it',
      { ...limited, headers: { ...limited.headers, 'X-Should-Retry': 'false' } },
      /header X-Should-Retry does not come with RATE_LIMITED/,
    ],
    [
      'a Retry-After that is not a number',
      { ...limited, headers: { ...asJson, 'Retry-After': 'soon' } },
      /header Retry-After must be integer \(is "soon"\)/,
    ],
    [
      'a Retry-After with a fraction',
      { ...limited, headers: { ...asJson, 'Retry-After': '1.5' } },
      /header Retry-After must be integer/,
    ],
    [
      'a Retry-After of 0',
      { ...limited, headers: { ...asJson, 'Retry-After': '0' } },
      /header Retry-After must be >= 1 \(is 0\)/,
    ],
    [
      'a media type that is not declared',
      { ...list, headers: { ...asJson, 'Content-Type': 'text/html' } },
      /Content-Type "text\/html" is not declared \(application\/json\)/,
    ],
    ['no media type', without(list, 'Content-Type'), /Content-Type is missing/],
    ['a body that is not JSON', { ...list, body: bytes('<html>') }, /the body is not JSON: <html>/],
    ['a body that is not UTF-8', { ...list, body: new Uint8Array([0x22, 0xff, 0x22]) }, /the body is not UTF-8/],
    ['an empty body', { ...list, body: nothing }, /the body is not JSON/],
    [
      'a field that is missing',
      { ...list, body: page({ ...entry, etag: undefined }) },
      /at \/response\/objects\/0 must have required property 'etag'/,
    ],
    [
      'a field of the wrong type',
      { ...list, body: page({ ...entry, size: '12044' }) },
      /at \/response\/objects\/0\/size must be integer \(is "12044"\)/,
    ],
    [
      'a number out of range',
      { ...list, body: page({ ...entry, size: -1 }) },
      /at \/response\/objects\/0\/size must be >= 0/,
    ],
    [
      'a null that is not allowed',
      { ...list, body: page({ ...entry, id: null }) },
      /at \/response\/objects\/0\/id must be string \(is null\)/,
    ],
    [
      'a time with a space',
      { ...list, body: page({ ...entry, created_at: '2026-04-21 09:29:00Z' }) },
      /created_at must match format "date-time"/,
    ],
    [
      'a time without a zone',
      { ...list, body: page({ ...entry, created_at: '2026-04-21T09:29:00' }) },
      /created_at must match format "date-time"/,
    ],
    [
      'a day that does not exist',
      { ...list, body: page({ ...entry, created_at: '2026-02-30T09:29:00Z' }) },
      /created_at must match format "date-time"/,
    ],
    [
      'the wrong envelope',
      { ...list, body: bytes({ status: 'ok', response: { objects: [] } }) },
      /at \/status must be "success" \(is "ok"\)/,
    ],
    [
      'a code that the operation does not declare',
      { ...list, status: 400, body: refusal('FILE_TOO_LARGE') },
      /at \/code must be one of .* \(is "FILE_TOO_LARGE"\)/,
    ],
    ['a code that no operation declares', { ...list, status: 400, body: refusal('OOPS') }, /at \/code must be one of/],
    ['a body after HEAD', { ...list, method: 'HEAD' }, /HEAD with status 200 must have no body, but has \d+ bytes/],
    [
      'a HEAD without the headers of its GET',
      without({ ...file, method: 'HEAD', body: nothing }, 'ETag'),
      /header ETag is missing/,
    ],
    ['a body in a 304', { ...file, status: 304 }, /GET with status 304 must have no body, but has 4 bytes/],
    [
      'an unknown route that answers success',
      { ...unknown, status: 200 },
      /GET \/v1\/nothing is in no operation, so it must answer 404, not 200/,
    ],
    [
      'an unknown route with the code of another',
      { ...unknown, body: refusal('OBJECT_NOT_FOUND') },
      /at \/code must be one of NOT_FOUND/,
    ],
    ['a path in other case', { ...list, path: '/V1/objects' }, /is in no operation/],
    [
      'an unknown method that answers 404',
      { ...unknown, method: 'PUT', path: '/v1/objects' },
      /PUT \/v1\/objects is in no operation, so it must answer 405/,
    ],
    [
      'a method that the public host takes at no path, and that answers 404',
      { ...unknown, method: 'PUT', door: 'public', path: '/favicon.ico' },
      /PUT \/favicon.ico is in no operation, so it must answer 405/,
    ],
    ['a 405 without Allow', without(otherMethod, 'Allow'), /header Allow is missing/],
    ['the envelope at the AI gateway', { ...unknown, path: '/v2/ai/nothing' }, /must have required property 'error'/],
    [
      'a file of the public host at the API door',
      { ...file, door: 'api' },
      /is in no operation, so it must answer 404/,
    ],
    [
      'an operation of the API at the public host',
      { ...list, path: '/livez', door: 'public' },
      /is in no operation, so it must answer 404/,
    ],
    [
      'a preflight with a body',
      { ...list, method: 'OPTIONS', status: 204 },
      /OPTIONS with status 204 must have no body/,
    ],
  ];
  test.each(wrong)('%s', (_, answer, found) => {
    expect(check(answer).join('\n')).toMatch(found);
  });

  test('every problem of a response, each on its own', () => {
    const body = page({ ...entry, size: -1, private: 'no' });
    expect(check({ ...without(list, 'X-Request-Id'), body })).toHaveLength(3);
  });
});

describe('answerChecker() on a small contract', () => {
  const small = (schema: object, headers: object = {}) =>
    answerChecker({
      paths: {
        '/x': {
          get: {
            operationId: 'getX',
            tags: ['x'],
            responses: { 200: { headers, content: { 'application/json': { schema } } } },
          },
        },
      },
      components: { schemas: { Text: { type: 'string' } } },
    });
  const answer = (value: unknown, headers = {}): Answer => ({
    method: 'GET',
    path: '/x',
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: bytes(value),
  });

  test('follows a reference and its siblings', () => {
    const checkX = small({ $ref: '#/components/schemas/Text', maxLength: 2 });
    expect(checkX(answer('"ab"'))).toEqual([]);
    expect(checkX(answer('"abc"')).join()).toContain('must NOT have more than 2 characters');
    expect(checkX(answer('7')).join()).toContain('must be string');
  });

  test('treats a schema with a discriminator as if it had none', () => {
    const checkX = small({
      oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
      discriminator: { propertyName: 'kind', mapping: { a: '#/a' } },
    });
    expect(checkX(answer({ kind: 'b' }))).toEqual([]);
    expect(checkX(answer({ kind: 'c' }))).not.toEqual([]);
  });

  test('reads header values by the type of their schema', () => {
    const checkX = small(
      {},
      { 'X-On': { required: true, schema: { type: 'boolean' } }, 'X-Text': { schema: { type: 'string' } } },
    );
    expect(checkX(answer(1, { 'x-on': 'true', 'x-text': '7' }))).toEqual([]);
    expect(checkX(answer(1, { 'x-on': '1' })).join()).toContain('header X-On must be boolean (is "1")');
  });
});
