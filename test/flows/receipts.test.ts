import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ReceiptInvalid, verifyReceipt } from '#dist/modules/client/index.js';
import { chunking } from '#test/support/chunked.ts';
import { formWith, sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { exchange } from '#test/s3/exchange.ts';
import { startGateway } from '#test/s3/gateway.ts';

let server: TestServer;
const chunks = chunking(() => server);
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const keysOf = async (of: TestServer) => (await of.send('/v1/receipts/keys')).json();

describe('receipts', () => {
  it('state what was uploaded, and are verified with the published key alone', async () => {
    const account = await server.account();
    const bytes = someBytes();
    const answer = await upload(server, account, { bytes });
    const receipt = answer.headers.get('x-cubby-receipt')!;
    const keys = await keysOf(server);
    const stated = {
      action: 'upload',
      id: `pub/${account.id}/photo.png`,
      size: bytes.length,
      sha256: sha256(bytes),
      at: new Date(server.clock.now()).toISOString(),
      account: account.id,
      key: account.keyId,
    };
    expect(await verifyReceipt(receipt, keys)).toEqual(stated);
    expect(await verifyReceipt(receipt, keys.keys)).toEqual(stated);
  });

  it('are rejected when they were changed, or signed by another server', async () => {
    const account = await server.account();
    const receipt = (await upload(server, account)).headers.get('x-cubby-receipt')!;
    const keys = await keysOf(server);
    const [head, payload, signature] = receipt.split('.') as [string, string, string];
    const other = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), size: 1 }));
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'cubby-receipt', kid: 'receipts-1' })).toString(
      'base64url',
    );
    const wrong = [
      '',
      'a.b.c',
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${head}.${payload}.${'A'.repeat(86)}`,
      `${head}.${other.toString('base64url')}.${signature}`,
      `${none}.${payload}.${signature}`,
      `${none}.${payload}.`,
      `${receipt}.x`,
    ];
    for (const one of wrong) await expect(verifyReceipt(one, keys), one).rejects.toThrow(ReceiptInvalid);
    const stranger = await startTestServer();
    await expect(verifyReceipt(receipt, await keysOf(stranger))).rejects.toThrow(ReceiptInvalid);
    await expect(verifyReceipt(receipt, [])).rejects.toThrow('Fetch them again');
    await stranger.stop();
  });

  it('come with chunked uploads, uploads by token, over S3, and with downloads of share links', async () => {
    const account = await server.account();
    const keys = await keysOf(server);
    const read = (headers: Headers) => verifyReceipt(headers.get('x-cubby-receipt')!, keys);
    const handle = await chunks.open(account);
    const part = someBytes(5_242_880);
    await chunks.put(account, handle, 1, part);
    const body = JSON.stringify({ upload: handle });
    const completed = await server.send('/v1/objects/chunked', {
      method: 'PATCH',
      credential: account.credential,
      body,
    });
    expect(await read(completed.headers)).toMatchObject({ action: 'upload', size: part.length, sha256: sha256(part) });
    const send = (path: string, value: object) =>
      server.send(path, { method: 'POST', credential: account.credential, body: JSON.stringify(value) });
    const { token } = (await send('/v1/upload-tokens', {})).json().response;
    const file = formWith(someBytes());
    const byToken = await server.send('/v1/objects?name=by_token', { method: 'POST', credential: token, body: file });
    expect(await read(byToken.headers)).toMatchObject({ key: account.keyId });
    const bytes = someBytes();
    const { id } = (await upload(server, account, { bytes, query: { private: 'true' } })).json().response;
    for (const limits of [{}, { max_downloads: 3 }]) {
      const share = (await send('/v1/shares', { object: id, ...limits })).json().response;
      const { headers } = await server.send(`/s/${share.id}`, { door: 'files' });
      expect(await read(headers)).toMatchObject({ action: 'download', id, sha256: sha256(bytes), key: null });
    }
    const gateway = await startGateway();
    const put = await exchange(gateway, { method: 'PUT', path: '/private/a.txt', headers: {}, body: 'x'.repeat(600) });
    expect(await verifyReceipt(put.headers['x-cubby-receipt']!, await keysOf(gateway.server))).toMatchObject({
      id: `prv/${gateway.account.id}/a.txt`,
      size: 600,
    });
    const headers = { 'x-amz-copy-source': '/private/a.txt' };
    const copy = await exchange(gateway, { method: 'PUT', path: '/public/b.txt', headers });
    const stated = { action: 'upload', size: 600, sha256: sha256(Buffer.from('x'.repeat(600))) };
    const gatewayKeys = await keysOf(gateway.server);
    expect(await verifyReceipt(copy.headers['x-cubby-receipt']!, gatewayKeys)).toMatchObject({
      ...stated,
      id: `pub/${gateway.account.id}/b.txt`,
    });
    const path = '/private/c.txt';
    const opened = await exchange(gateway, { method: 'POST', path, query: { uploads: '' }, headers: {} });
    const uploadId = /<UploadId>(.+)<\/UploadId>/.exec(opened.text)![1]!;
    const sent = await exchange(gateway, {
      method: 'PUT',
      path,
      query: { partNumber: '1', uploadId },
      headers: {},
      body: 'x'.repeat(600),
    });
    const whole = await exchange(gateway, {
      method: 'POST',
      path,
      query: { uploadId },
      headers: {},
      body:
        `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${sent.headers.etag}</ETag></Part>` +
        '</CompleteMultipartUpload>',
    });
    expect(await verifyReceipt(whole.headers['x-cubby-receipt']!, gatewayKeys)).toMatchObject({
      ...stated,
      id: `prv/${gateway.account.id}/c.txt`,
      key: gateway.account.keyId,
    });
    await gateway.stop();
  });
});

describe('callback_metadata', () => {
  it('of an upload token comes back in the events of its uploads, and nowhere else', async () => {
    const account = await server.account();
    const send = (method: string, path: string, credential: string, body: FormData | string) =>
      server.send(path, { method, credential, body });
    const asked = JSON.stringify({ max_uses: 2, callback_metadata: { user: 'u-17' } });
    const minted = await send('POST', '/v1/upload-tokens', account.credential, asked);
    const { token } = minted.json().response;
    const single = await send('POST', '/v1/objects?name=single', token, formWith(someBytes()));
    const handle = await chunks.open({ ...account, credential: token });
    await chunks.put({ ...account, credential: token }, handle, 1, someBytes(5_242_880));
    await send('PATCH', '/v1/objects/chunked', token, JSON.stringify({ upload: handle }));
    await upload(server, account, { query: { name: 'other' } });
    const { events } = (await server.send('/v1/events', { credential: account.credential })).json().response;
    const told = events.filter(({ data }: any) => data.callback_metadata !== undefined);
    expect(told.map(({ type }: any) => type)).toEqual(['object.created', 'object.created', 'upload.completed']);
    for (const { data } of told) expect(data.callback_metadata).toEqual({ user: 'u-17' });
    const path = `/v1/objects/info?object=${single.json().response.id}`;
    expect((await server.send(path, { credential: account.credential })).body.toString()).not.toContain('u-17');
  });
});
