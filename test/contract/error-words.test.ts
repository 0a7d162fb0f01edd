import { describe, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { resolve, type Json } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

const all = Object.entries(errors).flatMap(([vocabulary, table]) =>
  Object.entries(table).map(([code, { message }]) => [vocabulary, code, message as string] as const),
);

describe('the message of every code', () => {
  it.each(all)('%s %s: consists of sentences without unexplained words', (_vocabulary, _code, message) => {
    expect(message).toMatch(/^[\w"[].*[.]$/s);
    // Words that mean nothing to a reader who does not know the contract.
    expect(message).not.toMatch(/\bdescribed\b|\bis invalid\.|\bwrong\.|malformed\./i);
    for (const sentence of message.split(/(?<=\.) /))
      expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(36);
  });

  it('names the range of every limited value', () => {
    const ranged = [
      'INVALID_LIMIT',
      'INVALID_EXPIRES_IN',
      'INVALID_DOWNLOAD_EXPIRES',
      'INVALID_MAX_SIZE',
      'INVALID_MAX_USES',
      'INVALID_MAX_DOWNLOADS',
      'INVALID_SIZE',
      'INVALID_CHUNK_PART',
      'INVALID_RULE_MAX_SIZE',
      'INVALID_RULE_DELETE_AFTER',
      'INVALID_RULE_EXPIRE',
      'INVALID_OBJECT_EXPIRE',
      'INVALID_OBJECT_NAME',
      'INVALID_OBJECT_PREFIX',
      'INVALID_PASSWORD',
      'INVALID_KEY_NAME',
      'INVALID_PREFIXES',
      'INVALID_RESOURCES',
      'CHUNK_TOO_LARGE',
      'CHUNK_TOO_SMALL',
      'FILE_TOO_SMALL',
      'FILE_TOO_LARGE',
      'EMPTY_CHUNK',
    ] as const;
    for (const code of ranged) expect(errors.envelope[code].message, code).toMatch(/\d/);
  });

  it('names the bounds of the contract', () => {
    const inContract = (path: string, method: string, name: string): Json => {
      const spec = contract.paths[path][method];
      const parameter = spec.parameters
        ?.map((one: Json) => resolve(contract, one))
        .find((one: Json) => one.name === name);
      return resolve(
        contract,
        parameter?.schema ?? resolve(contract, spec.requestBody.content['application/json'].schema).properties[name],
      );
    };
    const bounds: ReadonlyArray<readonly [keyof typeof errors.envelope, string, string, string]> = [
      ['INVALID_LIMIT', '/v1/objects', 'get', 'limit'],
      ['INVALID_LIMIT', '/v1/account/activity', 'get', 'limit'],
      ['INVALID_LIMIT', '/v2/apps/{app_id}/deployments', 'get', 'limit'],
      ['INVALID_EXPIRES_IN', '/v1/shares', 'post', 'expires_in'],
      ['INVALID_EXPIRES_IN', '/v1/upload-tokens', 'post', 'expires_in'],
      ['INVALID_DOWNLOAD_EXPIRES', '/v1/objects/download', 'get', 'expires'],
      ['INVALID_MAX_USES', '/v1/upload-tokens', 'post', 'max_uses'],
      ['INVALID_MAX_SIZE', '/v1/upload-tokens', 'post', 'max_size'],
      ['INVALID_MAX_DOWNLOADS', '/v1/shares', 'post', 'max_downloads'],
      ['INVALID_SIZE', '/v1/objects/chunked', 'post', 'size'],
    ];
    for (const [code, path, method, name] of bounds) {
      const { minimum, maximum } = inContract(path, method, name);
      for (const bound of [minimum, maximum])
        expect(errors.envelope[code].message, `${code} of ${path}`).toMatch(new RegExp(`\\b${bound}\\b`));
    }
  });

  it('names every scope of keys', () => {
    const scopes: string[] = contract.components.schemas.ApiKeyScopes.oneOf[1].items.enum;
    for (const scope of scopes) expect(errors.envelope.INVALID_SCOPES.message).toContain(scope);
  });
});
