import { describe, expect, it } from 'vitest';

import { s3ProtocolAnswer } from '#server/features/s3/door/protocol-answer.ts';
import { startTestServer } from '#test/support/server.ts';
import { readAnswer, sendBytes, textOf } from './exchange.ts';

const faults = [
  ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400, 'BadRequest', 'MALFORMED_REQUEST'],
  ['a header without a name', 'GET /public HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n', 400, 'BadRequest', 'MALFORMED_REQUEST'],
  [
    'headers over 16 KB',
    `GET /public HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    400,
    'RequestHeaderSectionTooLarge',
    'HEADERS_TOO_LARGE',
  ],
] as const;

describe('bytes that never become a request', () => {
  it('get an S3 error when the gateway has its own port', async () => {
    const { running } = await startTestServer({ sync: false });
    for (const [what, bytes, status, code] of faults) {
      const answer = readAnswer(await sendBytes(running.urls.s3, Buffer.from(bytes)), 'GET');
      expect([answer.status, answer.headers['content-type'], textOf(answer.text, 'Code')], what).toEqual([
        status,
        'application/xml',
        code,
      ]);
      expect(textOf(answer.text, 'Message'), what).toMatch(/\w+ \w+/);
      expect(textOf(answer.text, 'RequestId'), what).toBe(answer.headers['x-amz-request-id']);
      expect(answer.headers['x-amz-request-id'], what).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('get an error in the envelope at the other doors', async () => {
    const { running } = await startTestServer({ sync: false });
    for (const [what, bytes, , , code] of faults) {
      const answer = readAnswer(await sendBytes(running.urls.api, Buffer.from(bytes)), 'GET');
      expect(JSON.parse(answer.text).code, what).toBe(code);
    }
  });

  it('get RequestTimeout when the headers are not complete in time', () => {
    const { status, body } = s3ProtocolAnswer('timeout', 'an-id');
    expect([status, textOf(body, 'Code'), textOf(body, 'RequestId')]).toEqual([400, 'RequestTimeout', 'an-id']);
  });
});
