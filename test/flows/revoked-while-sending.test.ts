import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { closing, fileHead, multipartType } from '#test/contract/bad-input/multipart.ts';
import { CreateMultipartUploadCommand } from '#test/s3/small-client.ts';
import { textOf } from '#test/s3/exchange.ts';
import { gatewayOf, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { postForm, sign } from '#test/s3/signed-request.ts';
import { chunking } from '#test/support/chunked.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

let main: Gateway;
const chunked = chunking(() => main.server);

beforeAll(async () => {
  main = await startGateway();
});
afterAll(() => main.stop());

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly before?: string;
  readonly after?: string;
}

const half = Buffer.alloc(40_000, 'x');

function overS3(from: Gateway, path: string, query: Readonly<Record<string, string>> = {}): Sent {
  const { method, target, headers } = sign(from, { method: 'PUT', path, query, payload: 'unsigned' });
  return {
    url: from.url + target,
    method,
    headers: Object.fromEntries(headers.filter(([name]) => name !== 'content-length')),
  };
}

function upload({ server }: Gateway, credential: string): Sent {
  return {
    url: `${server.running.urls.api}/v1/objects?name=slow`,
    method: 'POST',
    headers: { authorization: credential, 'content-type': multipartType },
    before: fileHead(),
    after: closing,
  };
}

/** The ways to send a body of any length. */
const ways: Readonly<Record<string, (from: Gateway) => Promise<Sent>>> = {
  'an upload': async (from) => upload(from, from.account.credential),
  'an upload with a token': async (from) => upload(from, await tokenOf(from.server, from.account)),
  'a part': async ({ account, server }) => {
    const handle = await chunked.open(account);
    return {
      url: `${server.running.urls.api}/v1/objects/chunked?${new URLSearchParams({ upload: handle, part: '1' })}`,
      method: 'PUT',
      headers: { authorization: account.credential },
    };
  },
  'a file over S3': async (from) => overS3(from, '/private/slow'),
  'a part over S3': async (from) => {
    const { UploadId } = await from.client.send(new CreateMultipartUploadCommand({ Bucket: 'private', Key: 'parts' }));
    return overS3(from, '/private/parts', { partNumber: '1', uploadId: UploadId! });
  },
  'a form over S3': async (from) => {
    const fields = postForm(
      from,
      {
        expiration: new Date(Date.now() + 3_600_000).toISOString(),
        conditions: [{ bucket: 'private' }, ['starts-with', '$key', '']],
      },
      { key: 'posted' },
    );
    const boundary = /boundary=(.*)/.exec(multipartType)![1]!;
    const parts = Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return {
      url: `${from.url}/private`,
      method: 'POST',
      headers: { 'content-type': multipartType },
      before: parts.join('') + fileHead(),
      after: closing,
    };
  },
};

const stores = () => main.server.running.app.stores;

/** Sends the first half of a body, runs `meanwhile`, and sends the rest. */
async function send(
  { url, method, headers, before = '', after = '' }: Sent,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const wire = request(url, { method, headers: { ...headers, 'transfer-encoding': 'chunked' }, agent: false });
  const answered = once(wire, 'response') as Promise<[IncomingMessage]>;
  wire.write(before);
  wire.write(half);
  await expect.poll(underWay, { interval: 5 }).toBe(1);
  await meanwhile();
  wire.end(Buffer.concat([half, Buffer.from(after)]));
  const [answer] = await answered;
  const text = Buffer.concat(await answer.toArray()).toString();
  return answer.statusCode === 200 || answer.statusCode === 204
    ? 'stored'
    : `${answer.statusCode} ${text.startsWith('<') ? textOf(text, 'Code') : JSON.parse(text).code}`;
}

async function underWay(): Promise<number> {
  return (await stores().metadata.atomically((tx) => tx.reservations.all())).length;
}

/** Files, counted bytes and running uploads of the account. */
async function kept({ account }: Gateway) {
  const { usedObjects, usedBytes, reservedBytes, inFlightBytes } = (await stores().metadata.read.accounts.find(
    account.id,
  ))!;
  return { usedObjects, bytes: usedBytes + reservedBytes + inFlightBytes, underWay: await underWay() };
}

const nothing = { usedObjects: 0, bytes: 0, underWay: 0 };

async function fresh(): Promise<Gateway> {
  return gatewayOf(main.server, await main.server.account('pro'));
}

describe('a body that is being sent while', () => {
  it.each(Object.keys(ways))('nothing happens is stored, as %s', async (way) => {
    const from = await fresh();
    expect(await send(await ways[way]!(from), async () => undefined)).toBe('stored');
    expect(await kept(from)).toMatchObject({ bytes: 2 * half.length, underWay: 0 });
  });

  it.each(Object.keys(ways))('its key is revoked is not stored, as %s', async (way) => {
    const from = await fresh();
    const answer = await send(await ways[way]!(from), () => revokeKey(stores(), from.account.keyId));
    expect(answer).toBe(way.endsWith('S3') ? '403 AccessDenied' : '401 ACCESS_DENIED');
    expect(await kept(from)).toEqual(nothing);
  });

  it.each(Object.keys(ways))('its key gets a new secret is not stored, as %s', async (way) => {
    const from = await fresh();
    const answer = await send(await ways[way]!(from), () =>
      regenerateKey(stores(), {
        accountId: from.account.id,
        keyId: from.account.keyId,
        asker: { keyId: from.account.keyId, actor: systemActor },
      }),
    );
    expect(answer).toBe(way.endsWith('S3') ? '403 AccessDenied' : '401 ACCESS_DENIED');
    expect(await kept(from)).toEqual(nothing);
  });

  it.each(Object.keys(ways))('its quota shrinks is not stored, as %s', async (way) => {
    const from = await fresh();
    const answer = await send(await ways[way]!(from), () =>
      stores().metadata.atomically((tx) => tx.accounts.setQuota(from.account.id, 60_000)),
    );
    expect(answer).toBe(way.endsWith('S3') ? '403 QuotaExceeded' : '403 STORAGE_QUOTA_EXCEEDED');
    expect(await kept(from)).toEqual(nothing);
  });

  // The start of a part does not check the plan, and without a plan there is no quota.
  it.each(Object.keys(ways))('its account loses its plan is not stored, as %s', async (way) => {
    const from = await fresh();
    const answer = await send(await ways[way]!(from), () =>
      stores().metadata.atomically((tx) => tx.accounts.setPlan(from.account.id, 'none')),
    );
    const isPart = way.includes('part');
    expect(answer).toBe(
      way.endsWith('S3')
        ? `403 ${isPart ? 'QuotaExceeded' : 'AccessDenied'}`
        : isPart
          ? '403 STORAGE_QUOTA_EXCEEDED'
          : '401 PERMISSION_DENIED',
    );
    expect(await kept(from)).toEqual(nothing);
  });

  it('its plan no longer includes a requested option is not stored', async () => {
    const from = await fresh();
    const sent = upload(from, from.account.credential);
    const answer = await send({ ...sent, url: `${sent.url}&metadata=${encodeURIComponent('{"a":"b"}')}` }, () =>
      stores().metadata.atomically((tx) => tx.accounts.setPlan(from.account.id, 'standard')),
    );
    expect(answer).toBe('403 UPGRADE_REQUIRED');
    expect(await kept(from)).toEqual(nothing);
  });

  it('its upload token expires is stored, because it began in time', async () => {
    const from = await fresh();
    expect(
      await send(upload(from, await tokenOf(from.server, from.account, { expires_in: 60 })), async () =>
        from.server.clock.advance(61_000),
      ),
    ).toBe('stored');
  });
});
