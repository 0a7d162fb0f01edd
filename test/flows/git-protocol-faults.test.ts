import { once } from 'node:events';
import { connect } from 'node:net';

import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { deliveryOf } from '#test/support/git-deliveries.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { readAnswer, sendBytes } from '#test/s3/exchange.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ sync: false });
});
afterAll(() => server.stop());

const { body } = deliveryOf('github');
const start = 'POST /v2/git/webhook/a-code HTTP/1.1\r\n';

describe('a request that is not a delivery', () => {
  it.each([
    [
      'without a host',
      `${start}X-GitHub-Event: push\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'with two hosts',
      `${start}Host: a\r\nHost: b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'with two lengths',
      `${start}Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'in absolute form with a broken header',
      'POST http://a/v2/git/webhook/a-code HTTP/1.1\r\nHost a\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    ['with a head over 16 KB', `${start}Host: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('%s gets an error of the webhook, with its closing sentence', async (_, bytes, status, code) => {
    const answer = readAnswer(await sendBytes(server.running.urls.api, Buffer.from(bytes)), 'POST');
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(answer.text).toMatch(new RegExp(`^${code}: .* Nothing was deployed\\.$`));
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('gets the closing sentence too if it comes in pieces and its path is no longer known', async () => {
    const { port } = new URL(server.running.urls.api);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write(`${start}Host: a\r\nX-Long: ${'x'.repeat(10_000)}`);
    // The server has read the first piece once it answers another, later connection.
    await fetch(`${server.running.urls.api}/livez`);
    socket.write(`${'x'.repeat(10_000)}\r\n\r\n`);
    await once(socket, 'close');
    const [head = '', text = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(text)).toMatchObject({
      code: 'HEADERS_TOO_LARGE',
      message: expect.stringMatching(/ Nothing was stored or deployed\.$/),
    });
  });

  it('gets an error in the envelope on other paths', async () => {
    const answer = readAnswer(
      await sendBytes(server.running.urls.api, Buffer.from('GET /v1/objects HTTP/1.1\r\n\r\n')),
      'GET',
    );
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});
