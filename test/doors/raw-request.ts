import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

import { expect } from 'vitest';

import { checkAnswer } from '#test/support/contract.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';

export interface RawRequest extends Omit<RequestOptions, 'path'> {
  readonly door?: 'api' | 'public' | 'operator';
}

/** Sends the path exactly as it is written, because `fetch` would resolve `..` and `%2e` first. */
export async function open(
  server: TestServer,
  path: string,
  { door = 'public', ...options }: RawRequest = {},
): Promise<IncomingMessage> {
  const { port } = new URL(server.running.urls[door]);
  const sent = request({ host: '127.0.0.1', port, path, agent: false, ...options });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Sends like `open()`, reads the response to its end and checks it against the contract. */
export async function exchange(server: TestServer, path: string, options: RawRequest = {}): Promise<TestAnswer> {
  const { door = 'public', method = 'GET' } = options;
  const response = await open(server, path, options);
  const body = await buffer(response);
  const headers = new Headers(
    Object.entries(response.headersDistinct).flatMap(([name, values]) =>
      values!.map((value): [string, string] => [name, value]),
    ),
  );
  const status = response.statusCode!;
  const problems = checkAnswer({
    method,
    path: path.replace(/^https?:\/\/[^/?#]*/, '').split('?')[0]!,
    status,
    headers: Object.fromEntries(headers),
    body,
    door,
  });
  expect(problems, `${method} ${path} answered ${status} ${body.toString().slice(0, 300)}`).toEqual([]);
  return { status, headers, body, json: () => JSON.parse(body.toString()) };
}
