import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A small contract, as loosely typed as JSON. */
type Document = Record<string, any>;

const root = join(import.meta.dirname, '../..');

function envelopeError(code: string): Document {
  return {
    description: 'Refused.',
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { code: { enum: [code] } } }],
        },
        examples: { [code]: { value: { status: 'error', code } } },
      },
    },
  };
}

/** A document that every rule accepts. */
function good(): Document {
  return {
    openapi: '3.1.0',
    info: { title: 'Good', version: '1.0.0' },
    security: [{ apiKey: [] }],
    paths: {
      '/v1/things': {
        get: {
          operationId: 'listThings',
          description: 'Lists things.',
          'x-scopes': ['things:read'],
          'x-rate-limits': [],
          parameters: [
            {
              name: 'limit',
              in: 'query',
              allowReserved: true,
              'x-error-code': 'INVALID_LIMIT',
              schema: { type: 'integer' },
            },
          ],
          responses: {
            '200': {
              description: 'The things.',
              content: { 'application/json': { schema: { type: 'object' }, examples: { none: { value: {} } } } },
            },
            '400': envelopeError('INVALID_LIMIT'),
            '401': { $ref: '#/components/responses/AccessDenied' },
            '403': envelopeError('UPLOAD_TOKEN_NOT_ALLOWED'),
            '429': envelopeError('RATE_LIMITED'),
          },
        },
      },
      '/things/{id}': {
        get: {
          operationId: 'openThing',
          description: 'Fetches a thing.',
          security: [],
          'x-scopes': [],
          'x-rate-limits': [],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            '302': { description: 'It is elsewhere.' },
            '404': {
              description: 'It is not there.',
              content: {
                'text/plain': {
                  schema: { type: 'string' },
                  'x-codes': ['THING_NOT_FOUND'],
                  examples: { THING_NOT_FOUND: { value: 'There is no such thing.' } },
                },
              },
            },
          },
        },
      },
      '/v2/token': {
        post: {
          operationId: 'pollToken',
          description: 'Fetches a token.',
          security: [],
          'x-scopes': [],
          'x-rate-limits': [],
          responses: {
            '200': { description: 'Done.' },
            // RFC 6749 has its own vocabulary: the AI gateway answers its access_denied with 401.
            '400': {
              description: 'Refused.',
              content: {
                'application/json': {
                  schema: {
                    oneOf: [
                      { type: 'object', properties: { error: { enum: ['slow_down'] } } },
                      { type: 'object', properties: { error: { const: 'access_denied' } } },
                    ],
                  },
                  examples: {
                    slow_down: { value: { error: 'slow_down' } },
                    access_denied: { value: { error: 'access_denied' } },
                  },
                },
              },
            },
          },
        },
        get: {
          operationId: 'getAnswer',
          description: 'Asks the model.',
          security: [],
          'x-scopes': [],
          'x-rate-limits': [],
          responses: {
            '200': { description: 'Done.' },
            '401': {
              description: 'Refused.',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { error: { type: 'object', properties: { code: { enum: ['access_denied'] } } } },
                  },
                  examples: { access_denied: { value: { error: { code: 'access_denied' } } } },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Error: {
          type: 'object',
          properties: {
            status: { const: 'error' },
            code: { $ref: '#/components/schemas/ErrorCode' },
          },
        },
        ErrorCode: {
          enum: ['INVALID_LIMIT', 'ACCESS_DENIED', 'UPLOAD_TOKEN_NOT_ALLOWED', 'MISSING_SCOPE', 'RATE_LIMITED'],
        },
      },
      responses: { AccessDenied: envelopeError('ACCESS_DENIED') },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
  };
}

interface Case {
  readonly rule: string;
  /** The fault of the document. */
  readonly when: string;
  readonly spoil: (list: Document, document: Document) => void;
  /** A part of the readable message. */
  readonly says: string;
}

/** The JSON body of one response of the list operation. */
function bodyOf(list: Document, status: string): Document {
  return list.responses[status].content['application/json'];
}

const cases: Case[] = [
  {
    rule: 'error-examples',
    when: 'an error response has no example',
    spoil: (list) => delete bodyOf(list, '400').examples,
    says: 'listThings answers 400 (application/json) without an example',
  },
  {
    rule: 'error-examples',
    when: 'a code has no example',
    spoil: (list) => bodyOf(list, '400').schema.allOf[1].properties.code.enum.push('RATE_LIMITED'),
    says: 'the code RATE_LIMITED has no example',
  },
  {
    rule: 'error-examples',
    when: 'an example shows a code that the response does not list',
    spoil: (list) => (bodyOf(list, '400').examples.other = { value: { status: 'error', code: 'MISSING_SCOPE' } }),
    says: 'the example "other" shows the code MISSING_SCOPE',
  },
  {
    rule: 'error-examples',
    when: 'the example behind a reference shows another code',
    spoil: (_, document) => {
      document.components.responses.AccessDenied.content['application/json'].examples.ACCESS_DENIED.value.code =
        'RATE_LIMITED';
    },
    says: 'listThings answers 401 (application/json): the example "ACCESS_DENIED" shows the code RATE_LIMITED',
  },
  {
    rule: 'error-examples',
    when: 'a text has an example that is named for no code',
    spoil: (_, document) => {
      const text = document.paths['/things/{id}'].get.responses['404'].content['text/plain'];
      text.examples.gone = { value: 'Gone.' };
    },
    says: 'the example "gone" shows the code gone',
  },
  {
    rule: 'error-codes-narrowed',
    when: 'an error response answers any code of the vocabulary',
    spoil: (list) => bodyOf(list, '400').schema.allOf.pop(),
    says: 'without saying which codes it can carry',
  },
  {
    rule: 'error-codes-narrowed',
    when: 'a text does not name its codes',
    spoil: (_, document) => delete document.paths['/things/{id}'].get.responses['404'].content['text/plain']['x-codes'],
    says: 'List them in `x-codes`',
  },
  {
    rule: 'one-status-for-a-code',
    when: 'a code is answered with two statuses',
    spoil: (list) => (list.responses['409'] = envelopeError('INVALID_LIMIT')),
    says: 'INVALID_LIMIT is answered with 409 by listThings, but with 400 by listThings',
  },
  {
    rule: 'operation-policies',
    when: 'x-scopes is missing',
    spoil: (list) => delete list['x-scopes'],
    says: 'listThings does not say its x-scopes',
  },
  {
    rule: 'operation-policies',
    when: 'x-rate-limits is missing',
    spoil: (list) => delete list['x-rate-limits'],
    says: 'listThings does not say its x-rate-limits',
  },
  {
    rule: 'operation-id-verb',
    when: 'the operationId begins with another verb',
    spoil: (list) => (list.operationId = 'fetchThings'),
    says: 'The operationId "fetchThings"',
  },
  {
    rule: 'query-parameters',
    when: 'a query parameter lacks allowReserved',
    spoil: (list) => delete list.parameters[0].allowReserved,
    says: 'The query parameter "limit" of listThings lacks `allowReserved: true`',
  },
  {
    rule: 'query-parameters',
    when: 'a query parameter names no code',
    spoil: (list) => delete list.parameters[0]['x-error-code'],
    says: 'does not say what a wrong value answers',
  },
  {
    rule: 'query-parameters',
    when: 'a query parameter of the whole path names no code',
    spoil: (_, document) => {
      document.paths['/v1/things'].parameters = [
        { name: 'all', in: 'query', allowReserved: true, schema: { type: 'boolean' } },
      ];
    },
    says: 'The query parameter "all" of listThings does not say',
  },
  ...['401', '403', '429'].map((status) => ({
    rule: 'secured-responses',
    when: `an operation with a credential does not declare ${status}`,
    spoil: (list: Document) => delete list.responses[status],
    says: `listThings takes a credential but does not declare ${status}`,
  })),
  {
    rule: 'upload-tokens',
    when: 'an operation accepts tokens and does not set x-upload-token',
    spoil: (list) => (list.security = [{ apiKey: [] }, { uploadToken: [] }]),
    says: 'listThings lets upload tokens in without saying what they do',
  },
  {
    rule: 'upload-tokens',
    when: 'an operation sets x-upload-token to an unknown value',
    spoil: (list) =>
      Object.assign(list, { security: [{ apiKey: [] }, { uploadToken: [] }], 'x-upload-token': 'borrow' }),
    says: 'Set `x-upload-token` to spend or follow',
  },
  {
    rule: 'upload-tokens',
    when: 'an operation sets x-upload-token and does not accept tokens',
    spoil: (list) => (list['x-upload-token'] = 'spend'),
    says: 'but does not let them in',
  },
  {
    rule: 'upload-tokens',
    when: 'an operation accepts only keys and does not declare its response to tokens',
    spoil: (list) => (list.responses['403'] = envelopeError('MISSING_SCOPE')),
    says: 'does not declare 403 UPLOAD_TOKEN_NOT_ALLOWED',
  },
  {
    rule: 'operation-explained',
    when: 'an operation has no description',
    spoil: (list) => delete list.description,
    says: 'listThings has no description',
  },
  {
    rule: 'success-examples',
    when: 'a success has no example',
    spoil: (list) => delete bodyOf(list, '200').examples,
    says: 'listThings answers 200 (application/json) without an example',
  },
  {
    rule: 'unknown-fields',
    when: 'an operation with a body does not say what unknown fields do',
    spoil: (list) => (list.requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }),
    says: 'listThings does not say what an unknown field of its body does',
  },
  {
    rule: 'unknown-fields',
    when: 'an operation without a body says what unknown fields do',
    spoil: (list) => (list['x-unknown-fields'] = 'ignored'),
    says: 'listThings sets `x-unknown-fields`, but has no body',
  },
  {
    rule: 'unknown-fields',
    when: 'a body that refuses unknown fields does not name the responses with the same fields',
    spoil: (list) =>
      Object.assign(list, {
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        'x-unknown-fields': 'refused',
      }),
    says: 'listThings refuses unknown fields, but its body does not say',
  },
];

interface Finding {
  readonly rule: string;
  readonly message: string;
}

describe('the contract lint rules', () => {
  let folder: string;
  const findings = new Map<string, Finding[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cubby-lint-'));
    const rules = [...new Set(cases.map(({ rule }) => `  cubby/${rule}: error\n`))].join('');
    const plugin = join(root, 'openapi/plugin.mjs');
    await writeFile(join(folder, 'redocly.yaml'), `telemetry: 'off'\nplugins:\n  - ${plugin}\nrules:\n${rules}`);
    await writeFile(join(folder, 'good.json'), JSON.stringify(good()));
    for (const [index, { spoil }] of cases.entries()) {
      const document = good();
      spoil(document.paths['/v1/things'].get, document);
      await writeFile(join(folder, `bad-${index}.json`), JSON.stringify(document));
    }
    for (const { file, ...finding } of await lint(['good.json', ...cases.keys().map((index) => `bad-${index}.json`)])) {
      findings.set(file, [...(findings.get(file) ?? []), finding]);
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** One run of the linter over all documents, like `npm run lint`. */
  async function lint(files: string[]): Promise<Array<Finding & { file: string }>> {
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const args = [cli, 'lint', ...files, '--format=json', '--max-problems=1000'];
    // It exits with 1 when it found something. Only its output counts.
    const printed = await new Promise<string>((done) => {
      execFile(process.execPath, args, { cwd: folder, maxBuffer: 1 << 24 }, (_, stdout) => done(stdout));
    });
    // It prints one indented JSON object for each file, one after the other.
    const reports: Document[] = JSON.parse(`[${printed.trim().replaceAll(/^\}\s*\{$/gm, '},{')}]`);
    expect(reports).toHaveLength(files.length);
    return reports.flatMap(({ problems }) =>
      problems.map((problem: Document) => ({
        file: basename(problem.location[0].source.ref),
        rule: problem.ruleId.replace('cubby/', ''),
        message: problem.message,
      })),
    );
  }

  test('accept a good document', () => {
    expect(findings.get('good.json')).toBeUndefined();
  });

  for (const [index, { rule, when, says }] of cases.entries()) {
    test(`${rule} reports an error when ${when}`, () => {
      const found = findings.get(`bad-${index}.json`) ?? [];
      expect(found.map((finding) => finding.rule)).toContain(rule);
      expect(
        found
          .filter((finding) => finding.rule === rule)
          .map((finding) => finding.message)
          .join('\n'),
      ).toContain(says);
    });
  }
});
