import { createServer, type AddressInfo, type Socket } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { circuitBreaker } from '#server/circuit-breaker.ts';
import { openUpstream } from '#server/features/chat/backends/open-upstream.ts';
import { UpstreamChain } from '#server/features/chat/backends/upstream-chain.ts';
import type { ChatModel } from '#server/features/chat/models/chat-model.ts';
import { TestClock } from '#test/support/clock.ts';
import { patience, question } from '#test/support/chat-model.ts';

/** Sends the bytes of one response. Some also end the connection. */
type Raw = (socket: Socket) => void;

const completion = (text: string) =>
  JSON.stringify({
    choices: [{ message: { content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  });
const withLength = (text: string, head = '') =>
  `HTTP/1.1 200 OK\r\n${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const chunked = (text: string, trailers: string) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ` +
  `X-Sum\r\n\r\n${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n${trailers}\r\n`;
const says =
  (answer: string | Buffer): Raw =>
  (socket) =>
    void socket.write(answer);
const saysAndEnds =
  (answer: string | Buffer): Raw =>
  (socket) =>
    void socket.end(answer);

/** Starts a model over a server that sends raw bytes: one response for each request. The last one is repeated. */
async function overRaw(...answers: Raw[]): Promise<{ readonly model: ChatModel; readonly attempts: string[] }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let seen = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      seen += bytes.toString('latin1');
      const [, length] = /content-length: (\d+)/i.exec(seen) ?? [];
      const end = seen.indexOf('\r\n\r\n');
      if (end < 0 || seen.length < end + 4 + Number(length)) return;
      seen = '';
      answers[Math.min(count++, answers.length - 1)]!(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const attempts: string[] = [];
  const upstream = openUpstream(
    { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, key: undefined, model: 'tiny' },
    { newCallId: () => 'call', clock: new TestClock() },
  );
  const model = new UpstreamChain([{ upstream, breaker: circuitBreaker({ nowMs: () => 0 }) }], {
    deadlineMs: 90_000,
    pausesMs: [1],
    onAttempt: ({ outcome, code }) => void attempts.push(code ? `${outcome} ${code}` : outcome),
  });
  onTestFinished(async () => {
    await model.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { model, attempts };
}

describe('an upstream with unusual HTTP', () => {
  it.each<readonly [string, Raw]>([
    [
      'sends interim responses first',
      says(
        `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 ` +
          `Processing\r\n\r\n${withLength(completion('here'))}`,
      ),
    ],
    ['sends chunks and trailers', says(chunked(completion('here'), 'X-Sum: 7\r\n'))],
    [
      'ends its body by closing the connection',
      saysAndEnds(`HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n${completion('here')}`),
    ],
    ['closes the connection after its response', saysAndEnds(withLength(completion('here'), 'Connection: close\r\n'))],
    ['begins its body with a byte order mark', says(withLength(`\ufeff${completion('here')}`))],
    ['declares its body as HTML', says(withLength(completion('here'), 'Content-Type: text/html; charset=latin1\r\n'))],
    [
      'sends its response byte by byte',
      (socket) => [...withLength(completion('here'))].forEach((letter) => socket.write(letter)),
    ],
  ])('is understood when it %s', async (_, answer) => {
    const { model } = await overRaw(answer);
    for (let time = 0; time < 2; time++) expect((await model.complete(question(), patience)).text).toBe('here');
  });

  it.each<readonly [string, Raw]>([
    ['sends bytes that are not HTTP', saysAndEnds('hello\r\n\r\n')],
    [
      'switches protocols',
      says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    ],
    [
      'sends less than it announced',
      saysAndEnds(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${completion('here')}`),
    ],
    ['sends nothing', saysAndEnds('')],
    ['sends an overlong head', says(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}`)],
    [
      'streams events',
      says(
        withLength(
          'data: {"choices":[{"delta":{"content":"here"}}]}\n\ndata: [DONE]\n\n',
          'Content-Type: text/event-stream\r\n',
        ),
      ),
    ],
    ['sends a compressed body', says(withLength('\u001f\u008b\u0008\u0000', 'Content-Encoding: gzip\r\n'))],
    ['sends an empty body', says('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')],
    [
      'sends both Content-Length and chunks',
      says(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    ],
    ['sends more than the read limit', says(withLength(completion('x'.repeat(1024 * 1024))))],
  ])('is unavailable, without another error, when it %s', async (_, answer) => {
    const { model, attempts } = await overRaw(answer);
    await expect(model.complete(question(), patience)).rejects.toMatchObject({ name: 'ChatModelUnavailable' });
    expect(attempts.length).toBeGreaterThan(0);
  });

  it('is not believed when it sends a second response to one request', async () => {
    const { model, attempts } = await overRaw(
      says(withLength(completion('here')) + withLength(completion('not asked for'))),
      says(withLength(completion('there'))),
    );
    expect((await model.complete(question(), patience)).text).toBe('here');
    expect((await model.complete(question(), patience)).text).toBe('there');
    expect(attempts.at(-1)).toBe('answered');
  });

  it('is asked again over a new connection when it closed the kept one', async () => {
    const { model } = await overRaw((socket) => {
      socket.write(withLength(completion('here')));
      setImmediate(() => socket.destroy());
    });
    for (let time = 0; time < 5; time++) expect((await model.complete(question(), patience)).text).toBe('here');
  });
});
