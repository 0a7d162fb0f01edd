import { describe, expect, test } from 'vitest';

// @ts-expect-error a plugin of Redocly is plain JavaScript
import { derivedCodes } from '#openapi/expand/derived-codes.mjs';

interface Sketch {
  readonly [field: string]: unknown;
}

/** Resolves no reference, because these operations refer to no other file. */
const follow = (node: unknown) => ({ node });

function codesOf(operation: Sketch, shape = 'envelope'): string[] {
  return derivedCodes({ responses: {}, 'x-scopes': [], 'x-rate-limits': [], ...operation }, shape, follow);
}

describe('derivedCodes()', () => {
  test('returns only the code of a fault for an operation without anything else', () => {
    expect(codesOf({ security: [] })).toEqual(['INTERNAL_SERVER_ERROR']);
  });

  test.each<[string, Sketch, string[]]>([
    [
      'a credential',
      {},
      ['ACCESS_DENIED', 'ACCOUNT_SUSPENDED', 'UPLOAD_TOKEN_NOT_ALLOWED', 'RATE_LIMITED', 'STORAGE_UNAVAILABLE'],
    ],
    [
      "an operator's key",
      { security: [{ operatorKey: [] }] },
      ['ACCESS_DENIED', 'RATE_LIMITED', 'STORAGE_UNAVAILABLE'],
    ],
    [
      'upload tokens',
      { security: [{ apiKey: [] }, { uploadToken: [] }] },
      ['ACCESS_DENIED', 'ACCOUNT_SUSPENDED', 'ORIGIN_NOT_ALLOWED', 'RATE_LIMITED', 'STORAGE_UNAVAILABLE'],
    ],
    [
      'a use of an upload token',
      { security: [{ uploadToken: [] }], 'x-upload-token': 'spend' },
      [
        'ACCESS_DENIED',
        'ACCOUNT_SUSPENDED',
        'UPLOAD_TOKEN_USED',
        'ORIGIN_NOT_ALLOWED',
        'RATE_LIMITED',
        'STORAGE_UNAVAILABLE',
      ],
    ],
    ['scopes', { security: [], 'x-scopes': ['blob:read'] }, ['MISSING_SCOPE']],
    ['a plan', { security: [], 'x-plan': { minimum: 'pro', code: 'UPGRADE_REQUIRED' } }, ['UPGRADE_REQUIRED']],
    ['a rate', { security: [], 'x-rate-limits': [{ name: 'list' }] }, ['RATE_LIMITED']],
    ['the disk', { security: [], 'x-needs-disk-space': true }, ['INSUFFICIENT_STORAGE']],
    ['a cap on requests at once', { security: [], 'x-concurrency': { code: 'TOO_MANY' } }, ['TOO_MANY']],
    [
      'a JSON body',
      { security: [], requestBody: { content: { 'application/json': {} } } },
      ['INVALID_BODY', 'BODY_TOO_LARGE', 'SERVER_OVERLOADED'],
    ],
    [
      'a form',
      { security: [], requestBody: { content: { 'application/x-www-form-urlencoded': {} } } },
      ['BODY_TOO_LARGE', 'SERVER_OVERLOADED'],
    ],
    [
      'a form that the operation reads itself',
      { security: [], 'x-form-parts': true, requestBody: { content: { 'multipart/form-data': {} } } },
      ['SERVER_OVERLOADED'],
    ],
  ])('returns the codes that follow from %s', (_, operation, expected) => {
    expect(codesOf(operation)).toEqual([...expected, 'INTERNAL_SERVER_ERROR']);
  });

  test('puts the codes of parameters and fields first, then those that the operation names, each once', () => {
    const field = {
      type: 'object',
      properties: { name: { 'x-error-code': { otherwise: 'INVALID_NAME', maxLength: 'NAME_TOO_LONG' } } },
    };
    const operation = {
      security: [],
      parameters: [{ name: 'limit', 'x-error-code': 'INVALID_LIMIT' }],
      requestBody: { content: { 'application/json': { schema: { 'x-error-code': 'INVALID_BODY', items: field } } } },
      responses: { 'x-refusals': ['THING_NOT_FOUND', 'INVALID_LIMIT'] },
    };
    expect(codesOf(operation)).toEqual([
      'INVALID_LIMIT',
      'INVALID_BODY',
      'INVALID_NAME',
      'NAME_TOO_LONG',
      'THING_NOT_FOUND',
      'BODY_TOO_LARGE',
      'SERVER_OVERLOADED',
      'INTERNAL_SERVER_ERROR',
    ]);
  });

  test('writes codes in lower case for a protocol that does', () => {
    expect(codesOf({ security: [], 'x-rate-limits': [{}] }, 'ai')).toEqual(['rate_limited', 'internal_server_error']);
  });
});
