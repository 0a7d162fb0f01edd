import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { expect } from 'vitest';

import { checkAnswer } from '#test/support/contract.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';

/** A request that is sent verbatim. Unlike `fetch`, nothing normalises, encodes or repairs it. */
export interface RawRequest {
  readonly method?: string;
  /** Path and query, verbatim. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: string;
  /** Bytes are sent with a Content-Length, pieces in chunks unless `headers` has their length. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array> | undefined;
  readonly door?: 'api' | 'files' | 'public' | 'operator';
}

/** Sends it. The raw response (status, headers, media type, body) must match the contract. */
export async function rawSend(server: TestServer, request: RawRequest): Promise<TestAnswer> {
  const { body } = request;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const framing = isWhole ? { 'Content-Length': String(Buffer.byteLength(body)) } : chunkedUnlessSized(request);
  const sending = openRequest(server, { ...request, headers: { ...framing, ...request.headers } });
  if (body === undefined || isWhole) sending.wire.end(body);
  else void pump(body, sending.wire);
  return sending.answer;
}

/** Set explicitly, because Node's client sends the body of a DELETE without any framing. */
function chunkedUnlessSized({ body, headers = {} }: RawRequest): Record<string, string> {
  return body === undefined || 'Content-Length' in headers ? {} : { 'Transfer-Encoding': 'chunked' };
}

async function pump(source: AsyncIterable<Uint8Array>, wire: ClientRequest): Promise<void> {
  for await (const piece of source) {
    if (wire.destroyed) return;
    if (!wire.write(piece)) await drained(wire);
  }
  wire.end();
}

/** Waits until the next piece can be written, or the connection is closed. */
async function drained(wire: ClientRequest): Promise<void> {
  const isOver = new AbortController();
  const { signal } = isOver;
  await Promise.race([once(wire, 'drain', { signal }), once(wire, 'close', { signal })]).catch(() => {});
  isOver.abort();
}

/** A request whose body the test writes itself, at its own pace. */
export interface OpenRequest {
  readonly wire: ClientRequest;
  /** Rejects if the connection ends without a response. */
  readonly answer: Promise<TestAnswer>;
}

/** Sends the head at once. The test writes the body to `wire`. */
export function openRequest(
  server: TestServer,
  { method = 'GET', path, headers = {}, credential, door = 'api' }: RawRequest,
): OpenRequest {
  const wire = httpRequest({
    host: '127.0.0.1',
    port: new URL(server.running.urls[door]).port,
    method,
    path,
    headers: { ...headers, ...(credential !== undefined && { Authorization: credential }) },
  });
  const answer = new Promise<TestAnswer>((resolve, reject) => {
    // A server that rejects early may close while the client still writes. Only the response counts.
    wire.on('error', reject);
    wire.on('response', (response) => {
      readAnswer(response, { method, path: path.split('?')[0]!, door }).then(resolve, reject);
    });
  });
  answer.catch(() => {});
  return { wire, answer };
}

async function readAnswer(
  response: IncomingMessage,
  sent: { method: string; path: string; door: string },
): Promise<TestAnswer> {
  const body = await buffer(response);
  const headers = new Headers(response.headers as Record<string, string>);
  const status = response.statusCode!;
  const problems = checkAnswer({ ...sent, status, headers: Object.fromEntries(headers), body });
  expect(problems, `${sent.method} ${sent.path} answered ${status} ${body.toString().slice(0, 300)}`).toEqual([]);
  return { status, headers, body, json: () => JSON.parse(body.toString()) };
}
