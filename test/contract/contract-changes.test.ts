import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Json } from '#openapi/codegen/document.ts';
import { rules } from '#openapi/build/change-rules.ts';
import { contractChanges } from '#openapi/build/contract-changes.ts';
import { releasedContracts, releaseProblems } from '#openapi/build/released-contracts.ts';

/** A small contract, fresh each time. */
function contract(): Json {
  return {
    info: { version: '1.0.0' },
    security: [],
    components: { schemas: { Size: { type: 'integer', minimum: 1, maximum: 10 } } },
    paths: {
      '/things': {
        post: {
          operationId: 'createThing',
          tags: ['things'],
          'x-scopes': ['read', 'write'],
          'x-plan': { minimum: 'standard' },
          'x-rate-limits': [{ name: 'create', limit: 10, windowSeconds: 10 }],
          parameters: [
            { name: 'a', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'b', in: 'query', schema: { type: ['string', 'null'], enum: ['x', 'y'] } },
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  required: ['name'],
                  properties: {
                    name: { type: 'string' },
                    note: { type: 'string' },
                    size: { $ref: '#/components/schemas/Size' },
                  },
                },
              },
              'text/plain': {},
            },
          },
          responses: {
            '200': {
              headers: { Location: {} },
              content: {
                'application/json': {
                  schema: {
                    required: ['id'],
                    properties: {
                      id: { type: ['string', 'integer'] },
                      more: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } },
                    },
                  },
                },
                'text/html': {},
              },
            },
            '201': {},
            '400': { content: { 'application/json': { examples: { BAD: {}, WORSE: {} } } } },
          },
        },
      },
      '/others': { get: { operationId: 'listOthers', tags: ['things'], responses: {} } },
    },
  };
}

const operation = (document: Json): Json => document.paths['/things'].post;
const requestSchema = (document: Json): Json => operation(document).requestBody.content['application/json'].schema;
const responseSchema = (document: Json): Json =>
  operation(document).responses['200'].content['application/json'].schema;

/** For each pair of rules: a change, which causes the first rule, and the second one when it is undone. */
const edits: ReadonlyArray<
  readonly [rule: keyof typeof rules, undone: keyof typeof rules, edit: (document: Json) => void]
> = [
  ['operation removed', 'operation added', (document) => delete document.paths['/others']],
  ['parameter removed', 'required parameter added', (document) => operation(document).parameters.shift()],
  ['parameter removed', 'optional parameter added', (document) => operation(document).parameters.pop()],
  [
    'parameter became required',
    'parameter became optional',
    (document) => (operation(document).parameters[1].required = true),
  ],
  [
    'media type of a request removed',
    'media type of a request added',
    (document) => delete operation(document).requestBody.content['text/plain'],
  ],
  [
    'media type of a response removed',
    'media type of a response added',
    (document) => delete operation(document).responses['200'].content['text/html'],
  ],
  ['success status removed', 'success status added', (document) => delete operation(document).responses['201']],
  [
    'error code removed',
    'error code added',
    (document) => delete operation(document).responses['400'].content['application/json'].examples.WORSE,
  ],
  [
    'response header removed',
    'response header added',
    (document) => delete operation(document).responses['200'].headers.Location,
  ],
  [
    'request field removed',
    'required request field added',
    (document) => delete requestSchema(document).properties.name,
  ],
  [
    'request field removed',
    'optional request field added',
    (document) => delete requestSchema(document).properties.note,
  ],
  [
    'request field became required',
    'request field became optional',
    (document) => requestSchema(document).required.push('note'),
  ],
  ['response field removed', 'response field added', (document) => delete responseSchema(document).properties.id],
  [
    'response field became optional',
    'response field became required',
    (document) => responseSchema(document).required.pop(),
  ],
  [
    'request type narrowed',
    'request type widened',
    (document) => (operation(document).parameters[1].schema.type = 'string'),
  ],
  [
    'response type narrowed',
    'response type widened',
    (document) => (responseSchema(document).properties.id.type = 'string'),
  ],
  ['request value removed', 'request value added', (document) => operation(document).parameters[1].schema.enum.pop()],
  [
    'response value removed',
    'response value added',
    (document) => responseSchema(document).properties.more.items.enum.pop(),
  ],
  ['request range narrowed', 'request range widened', (document) => (document.components.schemas.Size.maximum = 9)],
  ['request range narrowed', 'request range widened', (document) => (document.components.schemas.Size.minimum = 2)],
  [
    'unknown request fields refused',
    'unknown request fields ignored',
    (document) => (operation(document)['x-unknown-fields'] = 'refused'),
  ],
  ['scope removed', 'scope added', (document) => operation(document)['x-scopes'].pop()],
  ['all scopes required', 'one scope suffices', (document) => (operation(document)['x-all-scopes'] = true)],
  ['plan raised', 'plan lowered', (document) => (operation(document)['x-plan'].minimum = 'pro')],
  ['rate limit tightened', 'rate limit loosened', (document) => (operation(document)['x-rate-limits'][0].limit = 5)],
];

const rulesOf = (before: Json, after: Json): string[] =>
  contractChanges(before, after).map(({ text }) => text.split(':')[0]!);

describe('contractChanges()', () => {
  it('finds nothing between two equal contracts', () => {
    expect(contractChanges(contract(), contract())).toEqual([]);
  });

  it.each(edits)('finds "%s", and "%s" when it is undone', (rule, undone, edit) => {
    const changed = contract();
    edit(changed);
    expect(rulesOf(contract(), changed)).toContain(rule);
    expect(rulesOf(changed, contract())).toContain(undone);
  });

  it('finds a body that became required, and says which changes can break a client', () => {
    const changed = contract();
    operation(changed).requestBody.required = true;
    expect(contractChanges(contract(), changed)).toEqual([
      { isBreaking: true, operation: 'POST /things', text: 'body became required' },
    ]);
    const smaller = contract();
    delete operation(smaller).responses['400'].content['application/json'].examples.WORSE;
    expect(contractChanges(contract(), smaller)).toEqual([
      { isBreaking: false, operation: 'POST /things', text: 'error code removed: 400 WORSE' },
    ]);
  });

  it('has a test of each of its rules', () => {
    const tested = new Set<string>([...edits.flatMap(([rule, undone]) => [rule, undone]), 'body became required']);
    expect(Object.keys(rules).filter((rule) => !tested.has(rule))).toEqual([]);
  });
});

/** The contract of a version. */
function versioned(version: string, edit: (document: Json) => void = () => {}): Json {
  const document = contract();
  document.info = { version };
  edit(document);
  return document;
}

const bodyRequired = (document: Json) => (operation(document).requestBody.required = true);

describe('releaseProblems()', () => {
  it('names what breaks clients of released versions with the same first number', () => {
    const released = [versioned('1.0.0'), versioned('1.1.0')];
    expect(releaseProblems(released, versioned('1.2.0'))).toEqual([]);
    expect(releaseProblems(released, versioned('1.2.0', bodyRequired))).toEqual([
      'since 1.0.0: POST /things: body became required',
      'since 1.1.0: POST /things: body became required',
    ]);
    expect(releaseProblems(released, versioned('2.0.0', bodyRequired))).toEqual([]);
  });

  it('names a version that is older than the last one', () => {
    const released = [versioned('1.9.0'), versioned('1.10.0')];
    expect(releaseProblems(released, versioned('1.9.1'))).toEqual(['version 1.9.1 is older than 1.10.0']);
    expect(releaseProblems(released, versioned('1.10.0'))).toEqual([]);
    expect(releaseProblems([], versioned('0.1.0'))).toEqual([]);
  });
});

describe('the contract', () => {
  it('breaks no client of a released version with the same first number', async () => {
    const now: Json = JSON.parse(await readFile(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'));
    expect(
      releaseProblems(await releasedContracts(), now),
      'These can break clients. Keep what they use, or set a new first number of `info.version` in ' +
        'openapi/openapi.yaml.',
    ).toEqual([]);
  });
});
