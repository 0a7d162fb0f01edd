import { crc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask } from '#test/faults/client.ts';
import { expectShortHolds } from '#test/faults/loop-hold.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { exchange, sendWire } from './exchange.ts';
import { sign, type Endpoint } from './signed-request.ts';

/**
 * Detects severe blocking only, as in `test/flows/event-loop.long.test.ts`. Most of these requests take a tenth of the
 * bound. Earlier they took seconds.
 */
const boundMs = 250;

describe('the gateway serves other requests while', () => {
  let server: SpawnedServer;
  let endpoint: Endpoint;
  beforeAll(async () => {
    server = await spawnServer();
    const { credential } = await server.account();
    const { json } = await ask(`${server.urls.base}/v1/s3/credentials`, { credential });
    endpoint = {
      url: server.urls.s3,
      accessKeyId: json.response.access_key_id,
      secretAccessKey: json.response.secret_access_key,
    };
  });
  afterAll(() => server.remove());

  const path = '/private/tiny';

  it('a file arrives in chunks of one byte', async () => {
    const body = Buffer.alloc(500_000, 'a');
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    const wire = Buffer.from(
      `${'1\r\na\r\n'.repeat(body.length)}0\r\nx-amz-checksum-crc32:${sum.toString('base64')}\r\n\r\n`,
    );
    const headers = { 'x-amz-decoded-content-length': String(body.length), 'content-length': String(wire.length) };
    const signed = sign(endpoint, { method: 'PUT', path, payload: 'chunks-trailer', headers });
    await expectShortHolds(server, boundMs, 'chunks of one byte', async () =>
      expect((await sendWire(endpoint, { ...signed, body: wire }, 30_000)).status).toBe(200),
    );
    expect((await exchange(endpoint, { path })).body.equals(body)).toBe(true);
  });

  it('a file arrives in HTTP chunks of one byte', async () => {
    const bytes = 200_000;
    const { headers, ...signed } = sign(endpoint, { method: 'PUT', path, payload: 'unsigned' });
    const wire = {
      ...signed,
      headers: [...headers.filter(([name]) => name !== 'content-length'), ['transfer-encoding', 'chunked'] as const],
      body: Buffer.from(`${'1\r\nb\r\n'.repeat(bytes)}0\r\n\r\n`),
    };
    await expectShortHolds(server, boundMs, 'chunks of HTTP of one byte', async () =>
      expect((await sendWire(endpoint, wire, 30_000)).status).toBe(200),
    );
    expect((await exchange(endpoint, { path })).text).toBe('b'.repeat(bytes));
  });

  it('a thousand keys of character references are deleted', async () => {
    const keys = Array.from({ length: 1000 }, (_, at) => `<Object><Key>${'&#x61;'.repeat(600)}${at}</Key></Object>`);
    const request = {
      method: 'POST',
      path: '/private',
      query: { delete: '' },
      body: `<Delete><Quiet>true</Quiet>${keys.join('')}</Delete>`,
    };
    await expectShortHolds(server, boundMs, 'keys of references', async () =>
      expect((await exchange(endpoint, request)).status).toBe(200),
    );
  });
});
