import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sendWire, textOf, type S3Answer } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';

/*
 * Signature Version 2 is refused, even when it matches. The refusal names each client's setting for Version 4.
 */

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const path = '/private/a.txt';
const signed = (text: string): string => createHmac('sha1', gateway.secretAccessKey).update(text).digest('base64');

function send(target: string, headers: Readonly<Record<string, string>>): Promise<S3Answer> {
  return sendWire(gateway, {
    method: 'GET',
    target,
    headers: [['host', new URL(gateway.url).host], ...Object.entries(headers)],
    body: Buffer.alloc(0),
  });
}

function underHeader(more: Readonly<Record<string, string>>): Promise<S3Answer> {
  const date = new Date().toUTCString();
  return send(path, {
    date,
    authorization: `AWS ${gateway.accessKeyId}:${signed(`GET\n\n\n${date}\n${path}`)}`,
    ...more,
  });
}

function expectRefusal(answer: S3Answer, words: readonly string[]): void {
  expect([answer.status, textOf(answer.text, 'Code')]).toEqual([400, 'InvalidRequest']);
  for (const word of ['AWS4-HMAC-SHA256', ...words]) expect(textOf(answer.text, 'Message')).toContain(word);
}

const libraries = [
  'aws configure set default.s3.signature_version s3v4',
  "Config(signature_version='s3v4')",
  "signatureVersion: 'v4'",
];

describe('Signature Version 2', () => {
  it('in an address is refused with the settings of clients that presign with it', async () => {
    const expires = String(Math.floor(Date.now() / 1000) + 600);
    const query = new URLSearchParams({
      AWSAccessKeyId: gateway.accessKeyId,
      Expires: expires,
      Signature: signed(`GET\n\n\n${expires}\n${path}`),
    });
    expectRefusal(await send(`${path}?${query}`, {}), [
      ...libraries,
      'presigned with Signature Version 2',
      's3cmd signurl',
      'aws s3 presign',
      'rclone link',
    ]);
  });

  it('in a header is refused with the settings of clients that sign with it', async () => {
    expectRefusal(await underHeader({ 'user-agent': 'Boto/2.49.0' }), [
      ...libraries,
      'v2_auth = false',
      'signature_v2 = False',
      '-o sigv4',
      'Net::Amazon::S3::Signature::V4',
    ]);
  });

  it("in a header without a User-Agent is refused with S3's sentence, after which s3cmd uses Version 4", async () => {
    expect(textOf((await underHeader({})).text, 'Message')).toBe(
      'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
    );
  });

  it('in a form is refused with the settings of libraries that make these forms', async () => {
    const policy = Buffer.from(
      JSON.stringify({
        expiration: new Date(Date.now() + 600_000).toISOString(),
        conditions: [{ bucket: 'private' }, { key: 'a.txt' }],
      }),
    ).toString('base64');
    const form = new FormData();
    for (const [name, value] of Object.entries({
      key: 'a.txt',
      AWSAccessKeyId: gateway.accessKeyId,
      policy,
      signature: signed(policy),
    }))
      form.append(name, value);
    form.append('file', new Blob(['hello']), 'a.txt');
    const answer = await fetch(`${gateway.url}/private`, { method: 'POST', body: form });
    const text = await answer.text();
    expectRefusal({ status: answer.status, headers: {}, body: Buffer.from(text), text }, libraries);
    expect(await gateway.info('private', 'a.txt')).toBeUndefined();
  });
});
