import { describe, expect, it } from 'vitest';

import { importLegacyKey } from '#server/domain/access/import-legacy-key.ts';
import { S3Client, HeadObjectCommand, PutObjectCommand } from '#test/s3/small-client.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { TestClock } from '#test/support/clock.ts';

const path = '/v1/s3/credentials';
const day = 86_400_000;

async function pairOf(server: TestServer, credential: string) {
  return (await server.send(path, { credential })).json().response;
}

/** Returns whether the gateway accepts a pair. Clients sign with the machine's time. */
function clientOf(server: TestServer, pair: { access_key_id: string; secret_access_key: string }): S3Client {
  return new S3Client({
    url: server.running.urls.s3,
    accessKeyId: pair.access_key_id,
    secretAccessKey: pair.secret_access_key,
  });
}

describe('the S3 key pair over REST', () => {
  it('is the same on each call, and is returned with its access', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const pair = await pairOf(server, account.credential);
    expect(pair).toEqual({
      access_key_id: expect.stringMatching(new RegExp(`^CB${account.id}[A-Z0-9]{16}$`)),
      secret_access_key: expect.stringMatching(/^[\w-]{43}$/),
      endpoint: server.running.urls.s3,
      region: 'auto',
      buckets: ['public', 'private', 'legacy'],
      access: { read: true, write: true },
      expires_at: null,
    });
    expect(await pairOf(server, account.credential)).toEqual(pair);

    const reader = await pairOf(
      server,
      await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices/2026'], lifetimeMs: day }),
    );
    expect(reader).toMatchObject({
      access: { read: ['invoices/2026/'], write: false },
      expires_at: new Date(server.clock.now() + day).toISOString(),
    });
    expect(await pairOf(server, await server.key(account, { scopes: ['blob:write'] }))).toMatchObject({
      access: { read: false, write: true },
    });
    expect(JSON.stringify(server.log)).not.toContain(pair.secret_access_key);
  });

  it('works until its key is regenerated or revoked', async () => {
    const server = await startTestServer({ clock: new TestClock(Date.now()) });
    const account = await server.account();
    const put = async (credential: string) => {
      const client = clientOf(server, await pairOf(server, credential));
      await client.send(new PutObjectCommand({ Bucket: 'private', Key: 'a', Body: 'a' }));
      return { head: () => client.send(new HeadObjectCommand({ Bucket: 'private', Key: 'a' })) };
    };
    const first = await put(account.credential);
    await first.head();
    const renewed = await server.send(`/v1/account/keys/${account.keyId}/regenerate`, {
      method: 'POST',
      credential: account.credential,
    });
    await expect(first.head()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    const second = await put(renewed.json().response.key);
    await second.head();
    await server.send(`/v1/account/keys/${account.keyId}`, {
      method: 'DELETE',
      credential: renewed.json().response.key,
    });
    await expect(second.head()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('is created for an older key when that key is regenerated', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const old = 'OLD-0123456789abcdef';
    const { key } = await importLegacyKey(server.running.app.stores, {
      accountId: account.id,
      name: 'Camera',
      credential: old,
    });
    expect((await server.send('/v1/objects', { credential: old })).status).toBe(200);
    expect((await server.send(path, { credential: old })).json().code).toBe('LEGACY_API_KEY');
    const renewed = await server.send(`/v1/account/keys/${key.id}/regenerate`, {
      method: 'POST',
      credential: account.credential,
    });
    expect((await server.send('/v1/objects', { credential: old })).status).toBe(401);
    expect(await pairOf(server, renewed.json().response.key)).toMatchObject({ access: { read: true, write: true } });
  });
});
