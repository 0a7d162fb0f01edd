import { describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import { documentOf } from '#server/doors/contract/operation-document.ts';
import { operationValidator, probeOf } from '#server/doors/contract/operation-validator.ts';
import { refusalOf } from '#server/doors/contract/violations.ts';
import { contract } from '#test/support/contract.ts';

type Json = Readonly<Record<string, any>>;

/** The words for a value that fits none of the forms that a field has. */
interface Row {
  readonly field: string;
  readonly body: Json;
  readonly words: string | RegExp;
}

const message = { role: 'user', content: 'a' };
const chat = (more: Json) => ({ messages: [message], ...more });
const key = (more: Json) => ({ name: 'a', scopes: ['blob:read'], ...more });
const duration = { value: [], words: 'must be a string or null or a whole number. Got a list.' };

const table: { readonly [id in OperationId]?: readonly Row[] } = {
  createResponse: [
    {
      field: 'input',
      body: { input: Array(10_001).fill(message) },
      words: '`input` was read as a list. `input` must have at most 10000 items. Got 10001.',
    },
    {
      field: 'input',
      body: { input: [message, { role: 7 }] },
      words: '`input` was read as a list. `input[1].role` must be a string or null. Got a number.',
    },
    {
      field: 'input',
      body: { input: [] },
      words: '`input` was read as a list. `input` must have at least 1 item. Got 0.',
    },
    { field: 'input', body: { input: '' }, words: '`input` must have at least 1 character. Got 0.' },
    { field: 'input', body: { input: 7 }, words: '`input` must be a string or a list. Got a number.' },
  ],
  createEmbeddings: [
    {
      field: 'input',
      body: { input: ['a', 7] },
      words: '`input` was read as a list. `input[1]` must be a string. Got a number.',
    },
    {
      field: 'input',
      body: { input: [1, 'x', 3] },
      words: '`input` was read as a list. `input[1]` must be a whole number. Got a string.',
    },
    {
      field: 'input',
      body: { input: [[1], ['x']] },
      words: /^`input` was read as a list\. `input\[1\]\[0\]` must be a whole number/,
    },
    {
      field: 'input',
      body: { input: Array(2049).fill('a') },
      words: '`input` was read as a list. `input` must have at most 2048 items. Got 2049.',
    },
  ],
  createChatCompletion: [
    {
      field: 'stop',
      body: chat({ stop: Array(9).fill('a') }),
      words: '`stop` was read as a list. `stop` must have at most 4 items. Got 9.',
    },
    {
      field: 'tool_choice',
      body: chat({ tool_choice: { type: 'function' } }),
      words: '`tool_choice` was read as an object. `tool_choice.function` is missing.',
    },
    { field: 'tool_choice', body: chat({ tool_choice: 'maybe' }), words: 'Got "maybe" for `tool_choice`.' },
    {
      field: 'response_format',
      body: chat({ response_format: { type: 'json_schema' } }),
      words: '`response_format.json_schema` is missing.',
    },
    ...['xml', 5, null].map((type) => ({
      field: 'response_format',
      body: chat({ response_format: { type } }),
      words:
        `\`response_format.type\` must be one of "text", "json_object", "json_schema". Got ` +
        `${JSON.stringify(type)}.`,
    })),
    {
      field: 'response_format',
      body: chat({ response_format: {} }),
      words: '`response_format` was read as an object. `response_format.type` is missing.',
    },
  ],
  createKey: [
    {
      field: 'scopes',
      body: key({ scopes: [] }),
      words: '`scopes` was read as a list. `scopes` must have at least 1 item. Got 0.',
    },
    { field: 'scopes', body: key({ scopes: ['blob:reed'] }), words: 'Got "blob:reed" for `scopes[0]`.' },
    {
      field: 'expires_in',
      body: key({ expires_in: true }),
      words: '`expires_in` must be a string or a whole number. Got a boolean.',
    },
    { field: 'expires_in', body: key({ expires_in: '5x' }), words: 'Got "5x" for `expires_in`.' },
  ],
  requestDeviceCode: [
    { field: 'scopes', body: { scopes: 7 }, words: '`scopes` must be a list or a string. Got a number.' },
  ],
  updateObjects: [
    { field: 'expire', body: { objects: ['a'], expire: duration.value }, words: `\`expire\` ${duration.words}` },
  ],
  startFolderJob: [
    {
      field: 'expire',
      body: { prefix: 'a', action: 'update', expire: duration.value },
      words: `\`expire\` ${duration.words}`,
    },
  ],
  createUploadToken: [{ field: 'expire', body: { expire: duration.value }, words: `\`expire\` ${duration.words}` }],
  copyObject: [
    {
      field: 'destination/expire',
      body: { source: 'a', destination: { name: 'b', expire: duration.value } },
      words: `\`destination.expire\` ${duration.words}`,
    },
  ],
  replaceSettings: [
    {
      field: 'rules/*/expire',
      body: { rules: [{ prefix: 'a/', expire: true }] },
      words: '`rules[0].expire` must be a string or a whole number. Got a boolean.',
    },
  ],
};

const resolved = (schema: Json): Json =>
  typeof schema.$ref === 'string'
    ? resolved(
        schema.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, step: string) => at[step], contract),
      )
    : schema;

/** Returns the fields of a schema that have several forms. */
function unionsIn(schema: Json, place: readonly string[] = []): string[] {
  const { oneOf = [], anyOf = [], properties = {}, items } = resolved(schema);
  const forms = [...oneOf, ...anyOf];
  return [
    ...(forms.length > 1 && place.length > 0 ? [place.join('/')] : []),
    ...forms.flatMap((form: Json) => unionsIn(form, place)),
    ...Object.entries<Json>(properties).flatMap(([name, field]) => unionsIn(field, [...place, name])),
    ...(items ? unionsIn(items, [...place, '*']) : []),
  ];
}

describe('a value that fits none of several forms', () => {
  it.each(Object.entries(table) as Array<[OperationId, readonly Row[]]>)(
    'is described by the nearest form, and why it does not fit: %s()',
    async (id, rows) => {
      const policy = policies[id];
      const validate = await operationValidator(documentOf(contract, policy), policy);
      for (const { body, words } of rows) {
        const raw = { pathname: policy.path, pathParameters: {}, query: new Map(), body };
        const probe = probeOf(policy, raw, {});
        const findings = await validate(probe, {});
        const refusal = refusalOf(findings, { operationId: id, policy }, { raw, body: probe.body });
        expect(refusal.ownMessage ?? refusal.detail).toEqual(
          typeof words === 'string' ? words : expect.stringMatching(words),
        );
      }
    },
  );

  it('has a row for each field of a request that has several forms', () => {
    const fields = Object.values<Json>(contract.paths)
      .flatMap((path) => Object.values<Json>(path))
      .filter(({ requestBody }) => requestBody)
      .flatMap(({ operationId, requestBody }) =>
        Object.values<Json>(resolved(requestBody).content).flatMap(({ schema }) =>
          unionsIn(schema).map((field) => `${operationId} ${field}`),
        ),
      );
    const rows = Object.entries(table).flatMap(([id, all]) => all.map(({ field }) => `${id} ${field}`));
    expect([...new Set(rows)].toSorted()).toEqual([...new Set(fields)].toSorted());
  });
});
