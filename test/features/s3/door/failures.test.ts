import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { ErrorCode } from '#generated/errors.ts';
import { BlobMissing, BlobStoreUnavailable, type BlobStore } from '#server/domain/ports/blobs.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { s3Translations } from '#server/features/s3/error-meanings.ts';
import { errorElements, s3Failure } from '#server/features/s3/door/errors.ts';
import { bytesOf, exchange, readAnswer, sendBytes, textOf } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { sign } from '#test/s3/signed-request.ts';

const large = 'x'.repeat(100_000);

const faults = ({ server }: Gateway) => server.log.filter(({ message }) => message === 'fault');

/** The reserved bytes of the account, once all uploads have ended. */
async function reservedBytes({ server, account }: Gateway): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const bytes = (await server.running.app.stores.metadata.read.accounts.find(account.id))!.reservedBytes;
    if (bytes === 0) return 0;
    await sleep(20);
  }
  return Number.NaN;
}

async function withGateway(
  blobs: (real: BlobStore) => BlobStore,
  work: (gateway: Gateway) => Promise<void>,
): Promise<void> {
  const gateway = await startGateway({ blobs });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

describe('the gateway, when a store fails', () => {
  test('answers ServiceUnavailable, logs the cause, and reserves no quota', () =>
    withGateway(
      (real) => ({
        put: async () => Promise.reject(new BlobStoreUnavailable('The disk is full.', undefined)),
        open: real.open.bind(real),
        delete: real.delete.bind(real),
        ids: real.ids.bind(real),
      }),
      async (gateway) => {
        const answer = await exchange(gateway, { method: 'PUT', path: '/private/a', body: large });
        expect([answer.status, textOf(answer.text, 'Code')]).toEqual([503, 'ServiceUnavailable']);
        expect(answer.text).not.toContain('disk');
        expect(faults(gateway)).toHaveLength(1);
        expect(await reservedBytes(gateway)).toBe(0);
      },
    ));

  test('looks up a file again if its bytes change while it is opened, and answers InternalError if they miss', () => {
    let missing = 1;
    return withGateway(
      (real) => ({
        put: real.put.bind(real),
        open: async (blobId, range) =>
          missing-- > 0 ? Promise.reject(new BlobMissing(blobId, undefined)) : real.open(blobId, range),
        delete: real.delete.bind(real),
        ids: real.ids.bind(real),
      }),
      async (gateway) => {
        await exchange(gateway, { method: 'PUT', path: '/private/a', body: large });
        expect((await exchange(gateway, { path: '/private/a' })).text).toBe(large);
        expect(faults(gateway)).toHaveLength(0);
        missing = Infinity;
        const answer = await exchange(gateway, { path: '/private/a' });
        expect([answer.status, textOf(answer.text, 'Code')]).toEqual([500, 'InternalError']);
        expect(faults(gateway)).toHaveLength(1);
      },
    );
  });

  test('stores nothing, and logs no fault, when a client disconnects in the middle', () =>
    withGateway(
      (real) => real,
      async (gateway) => {
        const bytes = bytesOf(
          sign(gateway, { method: 'PUT', path: '/private/a', body: large, payload: 'chunks-trailer' }),
        );
        const { hostname, port } = new URL(gateway.url);
        const socket = connect(Number(port), hostname);
        await new Promise((resolve) => socket.write(bytes.subarray(0, 80_000), resolve));
        await sleep(50);
        socket.destroy();
        expect(await reservedBytes(gateway)).toBe(0);
        expect(await gateway.info('private', 'a')).toBeUndefined();
        expect(faults(gateway)).toHaveLength(0);
      },
    ));

  test('refuses a file with a too large announced length before it reads the bytes', () =>
    withGateway(
      (real) => real,
      async (gateway) => {
        const wire = sign(gateway, { method: 'PUT', path: '/private/a', payload: 'unsigned' });
        const headers = [
          ...wire.headers.filter(([name]) => name !== 'content-length'),
          ['content-length', String(5 * 1024 ** 3 + 1)] as const,
          ['expect', '100-continue'] as const,
        ];
        const answer = readAnswer(await sendBytes(gateway.url, bytesOf({ ...wire, headers })), 'PUT');
        expect([answer.status, textOf(answer.text, 'Code')]).toEqual([400, 'EntityTooLarge']);
      },
    ));
});

describe('a PUT without a length', () => {
  test.each([
    ['with no bytes after it', ''],
    ['with bytes after it', 'content'],
    ['with a request after it', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('gets MissingContentLength, %s', (_, behind) =>
    withGateway(
      (real) => real,
      async (gateway) => {
        for (const path of ['/private/a', '/private/a?partNumber=1&uploadId=none']) {
          const [plain, search = ''] = path.split('?');
          const wire = sign(gateway, {
            method: 'PUT',
            path: plain!,
            query: Object.fromEntries(new URLSearchParams(search)),
            body: '',
            payload: 'unsigned',
          });
          const bytes = bytesOf({
            ...wire,
            headers: wire.headers.filter(([name]) => name !== 'content-length'),
            body: Buffer.from(behind),
          });
          const answer = readAnswer(await sendBytes(gateway.url, bytes), 'PUT');
          expect([answer.status, textOf(answer.text, 'Code')], path).toEqual([411, 'MissingContentLength']);
        }
        expect(await reservedBytes(gateway)).toBe(0);
        expect((await exchange(gateway, { method: 'HEAD', path: '/private/a' })).status).toBe(404);
      },
    ),
  );
});

describe('a version id', () => {
  test.each([
    ['null', 200, undefined],
    ['', 400, 'InvalidArgument'],
    ['abc', 400, 'InvalidArgument'],
    ['x'.repeat(22), 400, 'InvalidArgument'],
    ['x'.repeat(23), 404, 'NoSuchVersion'],
    ['x'.repeat(101), 400, 'InvalidArgument'],
    ['x'.repeat(37), 404, 'NoSuchVersion'],
    ['3sL4kqtJlcpXroDTDmJ+rmSpXd3dIbrHY', 400, 'InvalidArgument'],
    ['3sL4kqtJlcpXroDTDmJ_rmSpXd3dIbrH', 404, 'NoSuchVersion'],
    ['123e4567-e89b-12d3-a456-426614174000', 404, 'NoSuchVersion'],
  ])('%j gets %d', (versionId, status, code) =>
    withGateway(
      (real) => real,
      async (gateway) => {
        await exchange(gateway, { method: 'PUT', path: '/private/a', body: 'words' });
        const asked = await exchange(gateway, { path: '/private/a', query: { versionId } });
        const copied = await exchange(gateway, {
          method: 'PUT',
          path: '/private/b',
          headers: { 'x-amz-copy-source': `private/a?versionId=${versionId}` },
        });
        for (const answer of [asked, copied])
          expect([answer.status, textOf(answer.text, 'Code')]).toEqual([status, code]);
        const removed = await exchange(gateway, { method: 'DELETE', path: '/private/a', query: { versionId } });
        // Amazon answers 204 for a version that does not exist. A client that deletes again wants the same.
        const refused = status === 400;
        expect([removed.status, textOf(removed.text, 'Code')]).toEqual(refused ? [400, code] : [204, undefined]);
      },
    ),
  );
});

describe('the sentence of a refusal', () => {
  const byCode = Map.groupBy(Object.entries(s3Translations), ([, code]) => code);
  /** Causes that are the same for a client of S3. */
  const same = [
    ['OBJECT_NOT_FOUND', 'FILE_NOT_FOUND'],
    ['UPLOAD_NOT_FOUND', 'INVALID_UPLOAD_TOKEN'],
    ['STORAGE_UNAVAILABLE'],
  ];

  test.each([...byCode].filter(([, causes]) => causes.length > 1))('of %s tells its causes apart', (code, causes) => {
    const sentences = causes.map(([cause]) => {
      const { refusal } = s3Failure(new Refusal(cause as ErrorCode));
      expect(refusal.code).toBe(code);
      return errorElements(refusal).Message;
    });
    const groups = causes.map(([cause]) => same.find((causes) => causes.includes(cause))?.[0] ?? cause);
    expect(new Set(sentences).size).toBe(new Set(groups).size);
  });
});
