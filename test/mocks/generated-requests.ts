import fc from 'fast-check';

import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { sampleRequest, type SampleRequest } from '#openapi/build/sample-request.ts';
import { operationsOf, resolve, type Json, type Operation } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

/** The account in generated requests. It is replaced by the account of the server that gets the request. */
export const accountOfExamples = '204815162342108999';

/** Whose credential a request carries. `token` is an upload token. */
export type Credential = 'key' | 'token' | 'none' | 'empty' | 'wrong';

/** A request for any server of the contract. */
export interface GeneratedRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly credential: Credential;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What is wrong with the request, or `nothing`, for the report of a difference. */
  readonly faults: readonly string[];
}

/** A request in parts, which the mutations change. */
interface Draft {
  method: string;
  path: string;
  query: Array<[name: string, value: string]>;
  credential: Credential;
  headers: Record<string, string>;
  body: string | undefined;
  json: unknown;
  faults: string[];
}

type Mutation = (draft: Draft, policy: OperationPolicy) => void;

const boundary = 'generated-boundary';

/** Values of query parameters, as they stand in the query. Some are valid for some parameters. */
const queryValues = [
  ...[
    '',
    '%20',
    '0',
    '1',
    '2',
    '-1',
    '1.5',
    '1e3',
    '01',
    '1000',
    '1001',
    '9007199254740993',
    'true',
    'false',
    'TRUE',
    'yes',
  ],
  ...[
    '30d',
    '30',
    '6h',
    '0',
    '1826d',
    '1825',
    '43801h',
    'inline',
    'attachment',
    'download',
    '/',
    '//',
    'a',
    'a/b/',
    '../a',
    'a/../b',
  ],
  ...[
    'max-age=60',
    'max-age=59',
    'no-cache',
    'immutable',
    'no-store',
    '%7B%7D',
    '%7B%22a%22:%22b%22%7D',
    '%7B%22A%22:%22b%22%7D',
    '[]',
  ],
  ...[
    'null',
    'photo-ex7',
    'photo.',
    '%C3%BC',
    '%F0%9F%98%80',
    '%00',
    '%FF',
    '%zz',
    'a%',
    '+a',
    'x'.repeat(129),
    'x'.repeat(1100),
  ],
  ...['0'.repeat(64), 'A'.repeat(64), 'f'.repeat(63), '2026-04-21T09:30:00Z', '2026-04-21', '2026-02-30T00:00:00Z'],
  ...[
    `pub/${accountOfExamples}/a.png`,
    `prv/${accountOfExamples}/a.png`,
    `${accountOfExamples}/a.png`,
    'pub/100000000000000099/a.png',
  ],
  ...['1b3.example-signature', 'a.png', 'image/png', 'a.png', 'text/html', 'a.php', 'a.exe'],
];

/** Values of JSON fields. */
const jsonValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    30,
    1000,
    1e21,
    '',
    ' ',
    'a',
    'true',
    '30d',
    '6h',
    '0d',
    'x'.repeat(129),
    'x'.repeat(5000),
  ],
  ...[
    [],
    {},
    [null],
    [1],
    ['a'],
    ['a', 'a'],
    ['*'],
    ['blob:read'],
    ['blob:read', 'nothing'],
    { a: 'b' },
    { A: 'b' },
    { a: 1 },
  ],
  ...[
    'max-age=60',
    'max-age=59',
    'inline',
    'attachment',
    '../a',
    'a/b/',
    'photo-ex7',
    '\u0000',
    '\u202e',
    '😀',
    '\ud800',
  ],
  ...[
    `pub/${accountOfExamples}/a.png`,
    `prv/${accountOfExamples}/b.png`,
    'pub/100000000000000099/a.png',
    'A'.repeat(64),
    '0'.repeat(64),
  ],
  ...[
    'https://app.example',
    'http://a/b',
    [`pub/${accountOfExamples}/a.png`],
    ['https://app.example'],
    ['pdf'],
    ['.pdf', 'EXE'],
  ],
  ...[
    [{ prefix: 'a/', private: true }],
    [{ prefix: 'a' }],
    [{ role: 'user', content: 'Hello' }],
    [{ role: 'user' }],
    [{ role: 'robot', content: 'x' }],
  ],
];

const brokenJson = [
  '{',
  '',
  '[',
  '"',
  'null',
  '[]',
  '7',
  '"text"',
  '{"a":1,}',
  "{'a':1}",
  '\ufeff{}',
  '{"a":"\u0001"}',
  'undefined',
  `${'['.repeat(40)}${']'.repeat(40)}`,
];

const paths = [
  '/',
  '/nothing',
  '/v1',
  '/v1/',
  '/v1/objects/',
  '/V1/objects',
  '/v1//objects',
  '/v1/objects/nothing',
  '/v2/ai',
  '/v2/ai/nothing',
  '/v2/git/nothing',
  '/v2/nothing',
  '/v1/account/keys/',
  '/v1/%6fbjects',
  '/v1/objects;a=b',
  '/d/',
  '/s/',
  '/d',
  '/s/a/b',
  '/v1/objects/%',
  '/v1/../v1/objects',
];

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PURGE'];

const segments = ['x', '%20', '%FF', '%', '%00', 'a%2Fb', 'x'.repeat(300), '.', '-', '1'];

interface FileForm {
  readonly field?: string;
  readonly filename?: string | null;
  readonly type?: string;
  readonly bytes?: string;
  readonly more?: string;
  readonly end?: string;
}

function formOf({
  field = 'file',
  filename = 'april.pdf',
  type = 'application/pdf',
  bytes = 'x'.repeat(600),
  more = '',
  end = `\r\n--${boundary}--\r\n`,
}: FileForm = {}): string {
  const name = filename === null ? '' : `; filename="${filename}"`;
  const head = `Content-Disposition: form-data; name="${field}"${name}\r\nContent-Type: ${type}`;
  return `--${boundary}\r\n${head}\r\n\r\n${bytes}${more}${end}`;
}

const part = (text: string) => `\r\n--${boundary}\r\n${text}`;

const forms: ReadonlyArray<readonly [fault: string, form: string]> = [
  ['511 bytes', formOf({ bytes: 'x'.repeat(511) })],
  ['512 bytes', formOf({ bytes: 'x'.repeat(512) })],
  ['an empty file', formOf({ bytes: '' })],
  ['another field', formOf({ field: 'document' })],
  ['no filename', formOf({ filename: null })],
  ['an empty filename', formOf({ filename: '' })],
  ['a filename without an extension', formOf({ filename: 'april' })],
  ['a blocked extension', formOf({ filename: 'april.exe' })],
  ['a script', formOf({ filename: 'april.php' })],
  ['an odd extension', formOf({ filename: 'april.p d f' })],
  ['a page', formOf({ filename: 'april.html', type: 'text/html' })],
  ['an unknown type', formOf({ filename: 'april.zzz', type: 'application/x-unknown' })],
  ['a type that differs from the extension', formOf({ filename: 'april.png' })],
  ['a second file', formOf({ more: part('Content-Disposition: form-data; name="file"; filename="b.pdf"\r\n\r\nx') })],
  ['a field behind the file', formOf({ more: part('Content-Disposition: form-data; name="a"\r\n\r\nb') })],
  ['a field before the file', `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n${formOf()}`],
  ['no closing boundary', formOf({ end: '' })],
  ['no part', `--${boundary}--\r\n`],
  ['no body', ''],
  ['no form', 'x'.repeat(600)],
];

const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  `multipart/form-data; boundary=${boundary}`,
  'application/octet-stream',
  ';',
  'application/json; charset=utf-16',
];

const credentials: readonly Credential[] = ['none', 'empty', 'token', 'wrong', 'token'];

const anyOf = <T>(values: readonly T[]) => fc.constantFrom(...values);

function pick<T>(values: readonly T[], index: number): T | undefined {
  return values[index % values.length];
}

/** Sets or removes the value at a path such as `destination/name`. Lists are entered at their first entry. */
function change(value: unknown, steps: readonly string[], to: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return to;
  if (step === '*')
    return Array.isArray(value) && value.length > 0 ? [change(value[0], rest, to), ...value.slice(1)] : value;
  const object =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  const { [step]: old, ...others } = object;
  const changed = change(old, rest, to);
  return changed === undefined ? others : { ...others, [step]: changed };
}

const index = fc.nat(10_000);

const mutations: ReadonlyArray<readonly [weight: number, fc.Arbitrary<Mutation>]> = [
  [
    1,
    anyOf(credentials).map((credential) => (draft) => {
      draft.credential = credential;
      draft.faults.push(`credential: ${credential}`);
    }),
  ],
  [
    8,
    fc.tuple(index, anyOf(queryValues)).map(([at, value]): Mutation => (draft, { queryFields }) => {
      const name = pick(Object.keys(queryFields), at);
      if (name === undefined) return;
      draft.query = [...draft.query.filter(([known]) => known !== name), [name, value]];
      draft.faults.push(`query ${name}=${value.slice(0, 40)}`);
    }),
  ],
  [
    2,
    index.map((at): Mutation => (draft) => {
      const one = pick(draft.query, at);
      if (!one) return;
      draft.query = draft.query.filter((other) => other !== one);
      draft.faults.push(`no ${one[0]}`);
    }),
  ],
  [
    1,
    index.map((at): Mutation => (draft) => {
      const one = pick(draft.query, at);
      if (!one) return;
      draft.query.push(one);
      draft.faults.push(`${one[0]} twice`);
    }),
  ],
  [
    10,
    fc
      .tuple(index, anyOf<unknown>([undefined, ...jsonValues]))
      .map(([at, value]): Mutation => (draft, { bodyFields }) => {
        const field = pick(
          Object.keys(bodyFields).filter((name) => name !== 'body'),
          at,
        );
        if (field === undefined || draft.json === undefined) return;
        draft.json = change(draft.json, field.split('/').slice(1), value);
        draft.faults.push(`${field} = ${JSON.stringify(value)?.slice(0, 40)}`);
      }),
  ],
  [
    2,
    fc.oneof(anyOf(brokenJson), fc.json({ maxDepth: 2 })).map((text): Mutation => (draft) => {
      if (draft.json === undefined) return;
      draft.json = undefined;
      draft.body = text;
      draft.faults.push(`body ${text.slice(0, 40)}`);
    }),
  ],
  [
    4,
    anyOf(forms).map(([fault, form]): Mutation => (draft, { bodyTypes }) => {
      if (!bodyTypes.includes('multipart/form-data')) return;
      draft.body = form;
      draft.faults.push(`form: ${fault}`);
    }),
  ],
  [
    1,
    anyOf(['', 'x', 'x'.repeat(70_000)]).map((bytes): Mutation => (draft, { bodyTypes, rawBody }) => {
      if (!bodyTypes.includes('application/octet-stream') && !rawBody) return;
      draft.body = bytes;
      draft.faults.push(`${bytes.length} bytes`);
    }),
  ],
  [
    1,
    anyOf(contentTypes).map((type): Mutation => (draft) => {
      if (draft.body === undefined && draft.json === undefined) return;
      draft.headers = { ...draft.headers, 'Content-Type': type };
      draft.faults.push(`Content-Type: ${type}`);
    }),
  ],
  [
    1,
    anyOf(methods).map((method): Mutation => (draft) => {
      draft.method = method;
      draft.faults.push(`method ${method}`);
    }),
  ],
  [
    1,
    anyOf(paths).map((path): Mutation => (draft) => {
      draft.path = path;
      draft.faults.push(`path ${path}`);
    }),
  ],
  [
    1,
    anyOf(segments).map((segment): Mutation => (draft, { path }) => {
      if (!path.includes('{')) return;
      draft.path = path.replace(/\{[^{}]+\}/, segment);
      draft.faults.push(`path ${draft.path.slice(0, 60)}`);
    }),
  ],
];

const operations = operationsOf(contract).filter(({ door }) => door !== 'public');

function draftOf({ method, target, headers, body }: SampleRequest): Draft {
  const [path = '', search = ''] = target.split('?');
  const query =
    search === ''
      ? []
      : search.split('&').map((pair): [string, string] => {
          const equals = pair.indexOf('=');
          return [pair.slice(0, equals), pair.slice(equals + 1)];
        });
  const draft: Draft = {
    method,
    path,
    query,
    credential: 'key',
    headers: { Accept: 'application/json', ...headers },
    body: undefined,
    json: undefined,
    faults: [],
  };
  if (!body) return draft;
  if (body.type === 'multipart/form-data')
    return {
      ...draft,
      body: formOf(),
      headers: { ...draft.headers, 'Content-Type': `${body.type}; boundary=${boundary}` },
    };
  const typed = { ...draft, headers: { ...draft.headers, 'Content-Type': body.type } };
  if (body.value === 'file') return { ...typed, body: 'bytes of a part' };
  if (body.type === 'application/x-www-form-urlencoded')
    return { ...typed, body: new URLSearchParams(body.value as Record<string, string>).toString() };
  return { ...typed, json: body.value };
}

/** Returns the request bodies that the contract has as examples. */
function bodiesOf({ spec }: Operation): ReadonlyArray<NonNullable<SampleRequest['body']>> {
  const content: Json = resolve(contract, spec.requestBody ?? {}).content ?? {};
  return Object.entries<Json>(content).flatMap(([type, media]) =>
    Object.values<Json>(media.examples ?? {}).map((example) => ({ type, value: resolve(contract, example).value })),
  );
}

const oneMutation = fc.oneof(...mutations.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Requests of every operation: valid ones, made from the contract's examples, and ones with up to three faults. */
export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc
  .record({
    operation: anyOf(operations),
    optional: fc.array(index, { maxLength: 3 }),
    example: index,
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(oneMutation, { minLength: 1, maxLength: 3 }) },
    ),
  })
  .map(({ operation, optional, example, changes }) => {
    const id = operation.id as OperationId;
    const policy = policies[id];
    const names = optional.flatMap((at) => pick(Object.keys(policy.queryFields), at) ?? []);
    const sample = sampleRequest(contract, operation, ['name', ...names]);
    const body = pick(bodiesOf(operation), example) ?? sample.body;
    const draft = draftOf({ ...sample, ...(body && { body }) });
    for (const mutate of changes) mutate(draft, policy);
    const search = draft.query.map(([name, value]) => `${name}=${value}`).join('&');
    return {
      operation: id,
      method: draft.method,
      target: search === '' ? draft.path : `${draft.path}?${search}`,
      credential: draft.credential,
      headers: draft.headers,
      body: draft.json === undefined ? draft.body : JSON.stringify(draft.json),
      faults: draft.faults.length > 0 ? draft.faults : ['nothing'],
    };
  });
