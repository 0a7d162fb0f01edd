import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { answerChecker, type Answer } from '#mocks/answer-check.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { sampleRequest } from '#openapi/build/sample-request.ts';
import { operationsOf, resolve, responsesOf, type Json, type Operation } from '#openapi/codegen/document.ts';
import { anyKey, form, initOf } from './sample-init.ts';

const document: Json = JSON.parse(await readFile(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'));
const check = answerChecker(document);

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

async function send(path: string, init: RequestInit = {}, door = 'api'): Promise<Answer> {
  const response = await fetch(mock.url + path, { redirect: 'manual', ...init });
  return {
    method: init.method ?? 'GET',
    path: new URL(mock.url + path).pathname,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.bytes(),
    door,
  };
}

const text = (answer: Answer) => new TextDecoder().decode(answer.body);
const json = (answer: Answer) => JSON.parse(text(answer));

/** Returns a text with the addresses of the examples as the mock sends them: its own. */
const atMock = (example: string) => example.replaceAll(/https:\/\/(api|files|public)\.cubby\.invalid/g, mock.url);

interface Case {
  readonly operation: Operation;
  readonly status: number;
  /** Absent for a response without a body. */
  readonly example?: { readonly name: string; readonly type: string; readonly value: unknown };
}

/**
 * Every response that the contract declares for an operation: each named example of each status, or the bare status.
 */
function casesOf(operation: Operation): Case[] {
  return responsesOf(document, operation).flatMap(({ status, response }) => {
    const examples = Object.entries<Json>(response.content ?? {}).flatMap(([type, media]) =>
      Object.entries<Json>(media.examples ?? {}).map(([name, reference]) => ({
        name,
        type: type === '*/*' ? 'application/octet-stream' : type,
        value: resolve(document, reference).value,
      })),
    );
    return examples.length ? examples.map((example) => ({ operation, status, example })) : [{ operation, status }];
  });
}

/** Returns the code of an error in each of the JSON shapes: envelope, chat client, OAuth. */
function codeOf(body: Json): unknown {
  return body.code ?? body.error?.code ?? body.error;
}

async function problemsWith({ operation, status, example }: Case): Promise<string[]> {
  const sample = sampleRequest(document, operation, ['name']);
  const init = initOf(sample);
  const headers = {
    ...(init.headers as Record<string, string>),
    prefer: example ? `code=${status}, example=${example.name}` : `code=${status}`,
    ...(example && { accept: example.type }),
  };
  const answer = await send(sample.target, { ...init, headers }, operation.door);
  const problems = check(answer);
  if (answer.status !== status) problems.push(`it answers ${answer.status}: ${text(answer)}`);
  else if (example?.type === 'application/json') {
    if (status >= 400 && codeOf(json(answer)) !== example.name) problems.push(`its code is ${codeOf(json(answer))}`);
    if (text(answer) !== atMock(JSON.stringify(example.value))) problems.push(`it is not the example: ${text(answer)}`);
  } else if (example && text(answer) !== atMock(String(example.value)))
    problems.push(`it is not the example: ${text(answer)}`);
  return problems.map((problem) => `${operation.id} ${status} ${example?.name ?? ''}: ${problem}`);
}

describe("the mock's examples", () => {
  const operations = operationsOf(document).filter((operation) => operation.door !== 'public');

  test('answers every named example of every operation, and each as the contract declares it', async () => {
    const problems: string[] = [];
    for (const operation of operations) {
      const found = await Promise.all(casesOf(operation).map(problemsWith));
      problems.push(...found.flat());
    }
    expect(problems).toEqual([]);
  });

  /** The status of operations whose request decides it: no `redirect=false`, and uploads by tus. */
  const decided: Readonly<Record<string, number>> = { getDownloadLink: 302, startUpload: 201, putUploadBytes: 204 };

  test('answers the most useful success by default', async () => {
    for (const operation of operations) {
      const success = decided[operation.id] ?? casesOf(operation)[0]!.status;
      const sample = sampleRequest(document, operation, ['name']);
      const answer = await send(sample.target, initOf(sample), operation.door);
      expect(answer.status, operation.id).toBe(success);
      expect(check(answer), operation.id).toEqual([]);
    }
  });

  test('answers paths exactly as the real server names them', async () => {
    const answer = await send('/v1/objects?limit=10', { headers: anyKey });
    expect(answer.status).toBe(200);
    expect(json(answer).response.objects).toHaveLength(2);
    expect((await send('/objects', { headers: anyKey })).status).toBe(404);
  });

  test('answers ACCESS_DENIED without a credential', async () => {
    const answer = await send('/v1/objects');
    expect(check(answer)).toEqual([]);
    expect(answer.status).toBe(401);
    expect(json(answer).code).toBe('ACCESS_DENIED');
  });

  test('refuses with the message of the server', async () => {
    const answer = await send('/v1/objects/info', { headers: anyKey });
    expect(check(answer)).toEqual([]);
    expect(answer.status).toBe(400);
    expect(json(answer)).toMatchObject({ code: 'INVALID_OBJECT', message: expect.stringContaining('missing') });
    const tooMany = await send('/v1/objects?limit=1001', { headers: anyKey });
    expect(json(tooMany)).toMatchObject({ code: 'INVALID_LIMIT', message: expect.stringContaining('Got 1001') });
  });

  test('accepts a file and answers OBJECT_ALREADY_EXISTS on request', async () => {
    const path = '/v1/objects?name=april&prefix=invoices';
    const stored = await send(path, { method: 'POST', headers: anyKey, body: form() });
    expect(check(stored)).toEqual([]);
    expect(json(stored).response.name).toBe('april');

    for (const prefer of ['code=409, example=OBJECT_ALREADY_EXISTS', 'code=OBJECT_ALREADY_EXISTS']) {
      const refused = await send(path, { method: 'POST', headers: { ...anyKey, prefer }, body: form() });
      expect(check(refused)).toEqual([]);
      expect(json(refused).code).toBe('OBJECT_ALREADY_EXISTS');
    }
  });

  test('lets scripts of other origins send what they send to the server, and the headers of the mock', async () => {
    for (const [path, method, names] of [
      ['/v1/objects', 'DELETE', 'authorization,prefer,x-mock-story'],
      ['/d/example', 'GET', 'prefer,x-mock-story'],
    ] as const) {
      const headers = {
        origin: 'https://app.cubby.invalid',
        'access-control-request-method': method,
        'access-control-request-headers': names,
      };
      const answer = await send(path, { method: 'OPTIONS', headers });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([204, '*']);
      const allowed = answer.headers['access-control-allow-headers']!.toLowerCase().split(',');
      expect(allowed).toEqual(expect.arrayContaining(names.split(',')));
    }
  });

  test('leads a client that follows the cursor to the last page', async () => {
    for (const path of ['/v1/objects', '/v1/account/activity']) {
      const { continuationToken } = json(await send(path, { headers: anyKey })).response;
      expect(continuationToken, path).toEqual(expect.any(String));
      const last = await send(`${path}?cursor=${encodeURIComponent(continuationToken)}`, { headers: anyKey });
      expect([last.status, json(last).response.continuationToken], path).toEqual([200, undefined]);
    }
  });

  test('serves HEAD, and a file at every public address that a response names', async () => {
    expect((await send('/v1/objects', { method: 'HEAD', headers: anyKey })).status).toBe(200);
    const { url } = json(await send('/v1/objects?name=x', { method: 'POST', headers: anyKey, body: form() })).response;
    const file = await fetch(url, { headers: { Range: 'bytes=0-9' } });
    expect([file.status, (await file.bytes()).length]).toEqual([206, 10]);
    const picture = await fetch(`${mock.url}/204815162342108999/photos/beach.png`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('startMock() throws when the port is taken', async () => {
    await expect(startMock({ port: Number(new URL(mock.url).port) })).rejects.toThrow(/EADDRINUSE/);
  });
});
