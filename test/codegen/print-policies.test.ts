import { describe, expect, it } from 'vitest';

import type { Json } from '#openapi/codegen/document.ts';
import { printPolicies } from '#openapi/codegen/print-policies.ts';
import { contractWith, operation } from './small-contract.ts';

function policyOf(spec: Json, item: Json = {}, components: Json = {}): Json {
  const contract = contractWith({ '/a/{id}': { ...item, post: operation('postA', spec) } });
  Object.assign(contract.components, components);
  const [, table] = /const table = ({.*?\n?}) as const satisfies/s.exec(printPolicies(contract))!;
  return new Function(`return ${table};`)().postA;
}

const bodyOf = (schema: Json) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } });

describe('printPolicies()', () => {
  it('prints the defaults when the contract says nothing', () => {
    expect(policyOf({})).toEqual({
      method: 'post',
      path: '/a/{id}',
      tag: 'things',
      door: 'api',
      errorShape: 'envelope',
      credentials: ['apiKey'],
      uploadToken: null,
      scopes: [],
      plan: null,
      rateLimits: [],
      countsForAccount: true,
      concurrency: null,
      bodyTypes: [],
      bodyRequired: false,
      pathFields: {},
      queryFields: {},
      bodyFields: {},
    });
  });

  it('prints the values of the contract', () => {
    const limit = { name: 'a', per: 'account', limit: 1, windowSeconds: 2 };
    const spec = {
      'x-scopes': ['blob:read'],
      'x-rate-limits': [limit],
      'x-plan': { minimum: 'pro', code: 'X', before: 'body' },
      'x-account-limit': false,
      'x-guarded-by': 'account',
      'x-concurrency': { name: 'u', limit: 4, code: 'Y' },
      'x-needs-disk-space': true,
      'x-error-shape': 'ai',
      'x-upload-token': 'follow',
      security: [{ apiKey: [] }, { uploadToken: [] }],
    };
    expect(policyOf(spec, { 'x-door': 'files' })).toMatchObject({
      scopes: ['blob:read'],
      rateLimits: [limit],
      plan: { minimum: 'pro', code: 'X', before: 'body' },
      countsForAccount: false,
      guardedBy: 'account',
      concurrency: { name: 'u', limit: 4, code: 'Y' },
      needsDiskSpace: true,
      errorShape: 'ai',
      credentials: ['apiKey', 'uploadToken'],
      uploadToken: 'follow',
      door: 'files',
    });
    expect(policyOf({ security: [] }).credentials).toEqual([]);
  });

  it('prints the plan limits of an operation as given', () => {
    const printed = printPolicies(
      contractWith({
        '/a': {
          get: operation('getA', {}),
          post: operation('postA', { 'x-plan-limits': { pro: { eggs: 2, ham: null } } }),
        },
      }),
    );
    const [, limits] = /const planLimits = ({.*?\n?}) as const;/s.exec(printed)!;
    expect(new Function(`return ${limits};`)()).toEqual({ postA: { pro: { eggs: 2, ham: null } } });
  });

  it.each(['x-scopes', 'x-rate-limits'])('throws for an operation without %s', (missing) => {
    expect(() => policyOf({ [missing]: undefined })).toThrow(`postA does not say its ${missing}`);
  });

  it('reads parameters, also through references', () => {
    const parameters = [
      { name: 'id', in: 'path', schema: { type: 'string' }, 'x-error-code': 'I' },
      { $ref: '#/components/parameters/limit' },
      {
        name: 'flag',
        in: 'query',
        schema: { type: 'boolean' },
        'x-error-code': { otherwise: 'F', required: 'R' },
        allowEmptyValue: true,
        'x-guarded-by': 'prefix',
      },
      { name: 'If-Match', in: 'header', schema: { type: 'string' } },
    ];
    const limit = { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Count' }, 'x-error-code': 'L' };
    const policy = policyOf(
      { parameters },
      {},
      { parameters: { limit }, schemas: { Count: { type: 'number', minimum: 1, maximum: 9 } } },
    );
    expect(policy.pathFields).toEqual({ id: { kind: 'string', codes: { default: 'I' } } });
    expect(policy.queryFields).toEqual({
      limit: { kind: 'integer', minimum: 1, maximum: 9, isInteger: false, codes: { default: 'L' } },
      flag: { kind: 'boolean', mayBeEmpty: true, codes: { default: 'F', required: 'R' }, guardedBy: 'prefix' },
    });
  });

  it('names every field of a body that has a code, by its path', () => {
    const schema = {
      'x-error-code': 'B',
      properties: {
        plain: { type: 'string' },
        list: {
          'x-error-code': { otherwise: 'L', maxItems: 'M' },
          'x-guarded-by': 'object',
          items: { 'x-error-code': 'E' },
        },
        deep: { properties: { er: { 'x-error-code': 'D' } } },
        count: { 'x-error-code': 'C', type: ['integer', 'null'], minimum: 1 },
        word: { 'x-error-code': 'W', type: 'string', format: 'password' },
        referred: { $ref: '#/components/schemas/Thing', 'x-error-code': 'HERE' },
        choice: {
          oneOf: [{ properties: { one: { 'x-error-code': 'O' } } }, { properties: { two: { 'x-error-code': 'T' } } }],
        },
      },
    };
    expect(policyOf(bodyOf(schema), {}, { schemas: { Thing: { 'x-error-code': 'THERE' } } })).toMatchObject({
      bodyRequired: true,
      bodyTypes: ['application/json'],
      bodyFields: {
        body: { codes: { default: 'B' } },
        'body/list': { codes: { default: 'L', maxItems: 'M' }, guardedBy: 'object' },
        'body/list/*': { codes: { default: 'E' } },
        'body/deep/er': { codes: { default: 'D' } },
        'body/count': { codes: { default: 'C' }, minimum: 1, isInteger: true },
        'body/word': { codes: { default: 'W' }, isSecret: true },
        'body/referred': { codes: { default: 'HERE' } },
        'body/choice/one': { codes: { default: 'O' } },
        'body/choice/two': { codes: { default: 'T' } },
      },
    });
  });

  it('ends when a schema contains itself', () => {
    const Tree = { 'x-error-code': 'T', properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } };
    expect(policyOf(bodyOf({ $ref: '#/components/schemas/Tree' }), {}, { schemas: { Tree } }).bodyFields).toEqual({
      body: { codes: { default: 'T' } },
    });
  });
});
