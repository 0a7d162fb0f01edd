import { connect } from 'node:net';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { sampleRequest } from '#openapi/build/sample-request.ts';
import { operationsOf, type Operation } from '#openapi/codegen/document.ts';
import { takesFields } from '#server/doors/contract/request-body.ts';
import { checkAnswer, contract } from '#test/support/contract.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

const operations = operationsOf(contract).filter(({ door }) => door !== 'public');
const takingJson = operations.filter(
  ({ id }) =>
    takesFields(policies[id as OperationId]) && policies[id as OperationId].bodyTypes.includes('application/json'),
);
const policyOf = ({ id }: Operation) => policies[id as OperationId];

interface Got {
  readonly status: number;
  readonly text: string;
}

async function send(operation: Operation, body: string, headers: Record<string, string> = {}): Promise<Got> {
  const { method, target } = sampleRequest(contract, operation, ['name']);
  const response = await fetch(mock.url + target, {
    method,
    body,
    redirect: 'manual',
    headers: { Authorization: 'any', ...headers },
    signal: AbortSignal.timeout(5000),
  });
  const text = await response.text();
  const path = new URL(mock.url + target).pathname;
  expect(
    checkAnswer({
      method,
      path,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(text),
      door: operation.door,
    }),
    `${operation.id}: ${text}`,
  ).toEqual([]);
  return { status: response.status, text };
}

describe('the mock', () => {
  it.each(takingJson.map((operation) => [operation.id, operation] as const))(
    'responds to a truncated JSON body as the server does: %s',
    async (_id, operation) => {
      for (const type of ['application/json', 'text/plain']) {
        const { status, text } = await send(operation, '{', { 'Content-Type': type });
        expect([status, text]).toEqual([
          operation.id === 'openShare' ? 401 : 400,
          expect.stringContaining(policyOf(operation).bodyFields.body!.codes!.default),
        ]);
      }
    },
  );

  it('responds to a malformed body like the server, in the shape of the operation', async () => {
    const named = (id: string) => operations.find((operation) => operation.id === id)!;
    const words = 'the text ends too soon, at line 1, column 2';
    expect(JSON.parse((await send(named('deleteObjects'), '{')).text)).toMatchObject({
      status: 'error',
      code: 'INVALID_BODY',
      message: expect.stringContaining(words),
    });
    expect(JSON.parse((await send(named('createChatCompletion'), '{')).text)).toMatchObject({
      error: { code: 'invalid_body', message: expect.stringContaining(words) },
    });
    expect((await send(named('deleteObjects'), '{"object":"' + 'x'.repeat(1_100_000) + '"}')).status).toBe(413);
  });

  it('reads JSON whatever the Content-Type is', async () => {
    for (const operation of takingJson) {
      const { body } = sampleRequest(contract, operation, ['name']);
      expect(
        (await send(operation, JSON.stringify(body!.value), { 'Content-Type': 'text/plain' })).status,
        operation.id,
      ).toBeLessThan(300);
    }
  });

  it('knows the model of the examples by its name, and no other', async () => {
    for (const [name, status] of [
      ['cubic', 200],
      ['cubic-embeddings', 200],
      ['Cubic', 404],
      ['a%2Fb', 404],
    ] as const) {
      const response = await fetch(`${mock.url}/v2/ai/models/${name}`, { headers: { Authorization: 'any' } });
      expect(response.status, name).toBe(status);
      expect(await response.json()).toMatchObject(
        status === 200 ? { id: 'cubic' } : { error: { code: 'model_not_found' } },
      );
    }
  });

  it.each(['createKey', 'createAccountKey'])('refuses fields that do not fit each other: %s', async (id) => {
    const operation = operations.find((one) => one.id === id)!;
    const body = { name: 'Website', scopes: ['blob:read'], resources: ['a'] };
    expect(await send(operation, JSON.stringify(body), { 'Content-Type': 'application/json' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('CONFLICTING_RESOURCES'),
    });
  });

  it('responds to unrouted requests in the shapes of the contract', async () => {
    for (const [method, path, status] of [
      ['GET', '/nothing', 404],
      ['PUT', '/v1/objects', 405],
      ['POST', '/v2/ai/nothing', 404],
      ['GET', '/v2/ai/chat/completions', 405],
      ['GET', '//', 404],
    ] as const) {
      const response = await fetch(mock.url + path, { method });
      expect(response.status).toBe(status);
      const body = Buffer.from(await response.bytes());
      expect(checkAnswer({ method, path, status, headers: Object.fromEntries(response.headers), body })).toEqual([]);
    }
  });
});

/**
 * Sends bytes, and with `isCut` closes the client's side after them. Resolves with the bytes that come back until the
 * connection closes. Rejects after 8 seconds.
 */
function exchange({ bytes, isCut }: { readonly bytes: string; readonly isCut: boolean }): Promise<string> {
  const { hostname, port } = new URL(mock.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(
      Number(port),
      hostname,
      () => void (isCut ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1')),
    );
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer and no end after 8 s; so far: ${text}`));
    }, 8000);
    socket.setEncoding('latin1').on('data', (more: string) => (text += more));
    // The server may reset a connection instead of reading its rest.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(late);
      resolve(text);
    });
  });
}

const isLong = process.env.CUBBY_TEST_LONG === '1';

describe(`a fuzz test of the mock (${isLong ? 'long' : 'short'} form)`, () => {
  const methods = fc.constantFrom(
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'CONNECT',
    'PURGE',
  );
  const oddTarget = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '*',
      '/v1/%',
      '/v1/objects?%',
      '/v1/objects?__code=abc',
      '/../..',
      'http://other/v1/objects',
      '/v1/objects?limit[]=1&limit[]=2',
    ),
    fc.webPath().map((path) => `/${path}`),
  );
  const line = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(...operations).map((operation) => sampleRequest(contract, operation, ['name'])),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        method: methods,
        target: fc.constantFrom(...operations).map((operation) => sampleRequest(contract, operation, ['name']).target),
      }),
    },
    { weight: 1, arbitrary: fc.record({ method: methods, target: oddTarget }) },
  );
  const bodyTexts = [
    '{',
    '}',
    '[',
    '"',
    '{"a":',
    '{"object":1}',
    '[[[[',
    'null',
    '\u0000',
    '--x\r\nContent-Disposition: form-data; name="file"',
    '--x\r\n\r\n--x--',
    'a=b&a=b',
    '%',
  ];
  const body = fc.oneof(
    fc.constantFrom('', ...bodyTexts),
    fc.json().map((json) => json.replaceAll(/[^\u0000-\u00ff]/g, '?')),
    fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
  );
  const header = fc.constantFrom(
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Type: multipart/form-data',
    'Content-Type: application/octet-stream',
    'Content-Type: ;',
    'Content-Type: application/x-www-form-urlencoded',
    'Prefer: code=409',
    'Prefer: code=abc',
    'Prefer: ;;=',
    'Prefer: example=nothing',
    'Content-Encoding: gzip',
    'Expect: 100-continue',
    'Connection: upgrade\r\nUpgrade: websocket',
    'Upgrade: websocket',
    'Range: bytes=x',
    'Accept: text/html',
    'Accept: nothing',
    'Origin: null',
    'Cookie: a=b; =',
    'Access-Control-Request-Method: PUT',
  );
  const request = fc.record({
    line,
    credential: fc.constantFrom(['Authorization: any'], ['Authorization: any'], ['Authorization: any'], []),
    headers: fc.uniqueArray(header, { maxLength: 5, selector: (line) => line.split(':')[0] }),
    body,
    isHalfClosed: fc.boolean(),
    length: fc.constantFrom('right', 'right', 'right', 'chunked', 'too long', 'too short', 'chunked and cut', 'none'),
  });

  function bytesOf({
    line: { method, target },
    credential,
    headers,
    body: text,
    isHalfClosed,
    length,
  }: typeof request extends fc.Arbitrary<infer Request> ? Request : never): {
    readonly bytes: string;
    readonly isCut: boolean;
  } {
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n`;
    const framing = {
      right: [`Content-Length: ${text.length}`],
      'too long': [`Content-Length: ${text.length + 10}`],
      'too short': [`Content-Length: ${Math.max(0, text.length - 3)}`],
      chunked: ['Transfer-Encoding: chunked'],
      'chunked and cut': ['Transfer-Encoding: chunked'],
      none: [],
    }[length];
    const sent =
      length === 'chunked' ? `${text.length > 0 ? chunk : ''}0\r\n\r\n` : length === 'chunked and cut' ? chunk : text;
    const bytes = [
      `${method} ${target} HTTP/1.1`,
      'Host: mock',
      'Connection: close',
      ...credential,
      ...headers,
      ...framing,
      '',
      sent,
    ].join('\r\n');
    return { bytes, isCut: isHalfClosed || length === 'too long' || length === 'chunked and cut' };
  }

  it(
    'finds no hang: each request gets a response, or its connection is closed',
    { timeout: isLong ? 600_000 : 60_000 },
    async () => {
      const pool = fc.sample(request, isLong ? 20_000 : 400).map(bytesOf);
      const atOnce = Array.from({ length: 8 }, async () => {
        for (let one = pool.pop(); one !== undefined; one = pool.pop()) {
          const { bytes } = one;
          const text = await exchange(one).catch((error: Error) =>
            expect.unreachable(`${error.message}\n${JSON.stringify(bytes)}`),
          );
          if (text !== '') expect(text, JSON.stringify(bytes)).toMatch(/^HTTP\/1\.1 [1-5]\d\d /);
          expect(text, JSON.stringify(bytes)).not.toMatch(/^HTTP\/1\.1 500 /);
        }
      });
      await Promise.all(atOnce);
      expect((await fetch(`${mock.url}/v1/objects`, { headers: { Authorization: 'any' } })).status).toBe(200);
    },
  );
});

describe('a chat completion', () => {
  const post = (body: object) =>
    fetch(`${mock.url}/v2/ai/chat/completions`, {
      method: 'POST',
      headers: { Authorization: 'any', 'Content-Type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'What is an ETag?' }], ...body }),
    });

  it('is streamed when the body asks for it', async () => {
    const streamed = await post({ stream: true });
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    expect(await streamed.text()).toMatch(/^data: \{"id":"chatcmpl-[^]+data: \[DONE\]\n\n$/);
    expect(await (await post({ stream: false })).json()).toMatchObject({ object: 'chat.completion' });
  });
});
