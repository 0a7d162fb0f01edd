import { describe, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import { RequestValidator } from '#server/doors/contract/request-validator.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';
import { parseQuery } from '#server/http/query.ts';
import { contract } from '#test/support/contract.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';

const fieldsOfFeatures = await partsOfFeatures('request-fields');

const validator = new RequestValidator(async () => contract);

/** Returns the message that a client gets. */
async function saidOf(
  operationId: OperationId,
  { search = '', body }: { readonly search?: string; readonly body?: unknown },
): Promise<string> {
  const policy = policies[operationId];
  const raw = { pathname: policy.path, pathParameters: {}, query: parseQuery(`${policy.path}?${search}`), body };
  const refusal = await validator.validate(operationId, policy, raw).then(
    () => expect.unreachable('it was taken'),
    (error: Refusal) => error,
  );
  const table: Readonly<Record<string, { readonly message: string }>> =
    policy.errorShape === 'ai' ? errors.ai : policy.errorShape === 'oauth' ? errors.oauth : errors.envelope;
  return refusalMessage(refusal, table[refusal.code]!.message);
}

const id = 'pub/204815162342108999/a.png';

describe('the message for a refused body field', () => {
  it.each<[OperationId, string, unknown]>([
    ['deleteObjects', 'The body must be a JSON object. Got a list.', []],
    ['deleteObjects', '`objects` must be a list. Got a number.', { objects: 7 }],
    ['updateObjects', '`objects[3]` must be a string. Got a number.', { objects: [id, id, id, 3], private: true }],
    ['createShare', '`expires_in` must be a whole number from 60 to 2592000. Got 5.', { object: id, expires_in: 5 }],
    ['createUploadToken', '`expires_in` must be a whole number from 60 to 3600. Got a string.', { expires_in: 'soon' }],
    [
      'replaceSettings',
      '`rules[1].max_size` must be a whole number from 512 to 10737418240. Got 5.',
      { rules: [{ prefix: 'a/' }, { prefix: 'b/', max_size: 5 }] },
    ],
    ['copyObject', '`destination` is missing.', { source: id }],
    ['createKey', 'blob:write. Got "blob:reed" for `scopes[1]`.', { name: 'k', scopes: ['blob:read', 'blob:reed'] }],
    [
      'deleteObjects',
      '`objects` must have at most 100 items. Got 101.',
      { objects: Array.from({ length: 101 }, () => id) },
    ],
    [
      'createChatCompletion',
      '`response_format.json_schema` is missing.',
      { messages: [{ role: 'user', content: 'a' }], response_format: { type: 'json_schema' } },
    ],
    [
      'createChatCompletion',
      '`response_format.json_schema.name` is missing.',
      { messages: [{ role: 'user', content: 'a' }], response_format: { type: 'json_schema', json_schema: {} } },
    ],
    [
      'createChatCompletion',
      '`response_format.json_schema.schema` must be an object or null. Got a list.',
      {
        messages: [{ role: 'user', content: 'a' }],
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: [] } },
      },
    ],
    [
      'createChatCompletion',
      '`response_format.json_schema.name` must match ^[A-Za-z0-9_-]{1,64}$. Got "two words".',
      {
        messages: [{ role: 'user', content: 'a' }],
        response_format: { type: 'json_schema', json_schema: { name: 'two words' } },
      },
    ],
    [
      'createChatCompletion',
      '`response_format.type` must be one of "text", "json_object", "json_schema". Got "xml".',
      { messages: [{ role: 'user', content: 'a' }], response_format: { type: 'xml', json_schema: { name: 'a' } } },
    ],
    [
      'createChatCompletion',
      '`messages[1].role` must be one of "system", "user", "assistant", "tool", "developer". Got "robot".',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'robot', content: 'b' },
        ],
      },
    ],
    [
      'createChatCompletion',
      '`top_p` must be a number from 0 to 1. Got 2.',
      { messages: [{ role: 'user', content: 'a' }], top_p: 2 },
    ],
    ['requestDeviceCode', '`client_name` must be a string. Got a number.', { client_name: 5 }],
  ])('of %s says: %s', async (operationId, words, body) => {
    expect(await saidOf(operationId, { body })).toContain(words);
  });

  it('starts with the description of the error code, if it has one for the field', async () => {
    expect(await saidOf('createShare', { body: { object: id, max_downloads: 0 } })).toBe(
      `${errors.envelope.INVALID_MAX_DOWNLOADS.message} Got 0 for \`max_downloads\`.`,
    );
  });
});

describe('the message for a refused parameter', () => {
  it.each<[OperationId, string, string]>([
    ['listObjects', 'limit=0', '`limit` must be a whole number from 1 to 1000. Got 0.'],
    ['listActivity', 'limit=x', '`limit` must be a whole number from 1 to 100. Got "x".'],
    ['listObjects', 'private=yes', 'Got "yes" for `private`.'],
    ['listObjects', 'limit=1&limit=2', '`limit` is given 2 times. Send it once.'],
    ['uploadObject', 'name=', '`name` is empty. Send a value, or leave it out.'],
    ['uploadObject', 'name=a%ff', '`name` is not percent-encoded UTF-8 without NUL.'],
    ['uploadObject', 'name=a%20b', 'Got "a b" for `name`.'],
  ])('of %s says: %s', async (operationId, search, words) => {
    expect(await saidOf(operationId, { search })).toContain(words);
  });
});

describe('the value in a refusal message', () => {
  const ofFeatures = fieldsOfFeatures.flatMap(({ secret = [] }) => secret);

  it('is shortened, and left out when it is a secret', async () => {
    const long = await saidOf('uploadObject', { search: `name=${'x '.repeat(3000)}` });
    expect(long).toContain('(6000 characters)');
    expect(long.length).toBeLessThan(500);
    const short = await saidOf('createShare', { body: { object: id, password: 'hunter2' } });
    expect(short).toContain('Got 7.');
    expect(short).not.toContain('hunter2');
    const key = `cbk_${'a'.repeat(46)}`;
    expect(await saidOf('uploadObject', { search: `name=${key}%20` })).not.toContain('aaa');
    expect(await saidOf('requestDeviceCode', { body: { client_name: 'x', scopes: [key] } })).not.toContain('aaa');
  });

  it.each(ofFeatures)('is left out of %s', async (secret) => {
    const [operation, field] = secret.split(' body/') as [OperationId, string];
    expect(await saidOf(operation, { body: { [field]: 'ghp_secret\n' } })).not.toContain('ghp_secret');
  });

  it('is left out for all fields that the contract marks as secret', () => {
    const secret = Object.entries(policies).flatMap(([operationId, { bodyFields }]) =>
      Object.entries(bodyFields).flatMap(([at, { isSecret }]) => (isSecret ? [`${operationId} ${at}`] : [])),
    );
    const listed = [
      ...ofFeatures,
      'createShare body/password',
      'pollDeviceToken body/device_code',
      'startOperatorSession body/operator_key',
      'startSession body/api_key',
      'submitActivation body/api_key',
      'submitActivation body/form_token',
      'submitSharePassword body/password',
      'updateShare body/password',
    ];
    expect(secret.toSorted()).toEqual(listed.toSorted());
  });
});
