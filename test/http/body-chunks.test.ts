import { describe, expect, it } from 'vitest';

import { BodyCutOff, fleetingChunks } from '#server/http/body-chunks.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { liveServer, rawClient } from './live-server.ts';

describe('fleetingChunks()', () => {
  it('yields all bytes, and frees the memory of a chunk when the next one is requested', async () => {
    const bytes = someBytes(1_000_001);
    const copies: Uint8Array[] = [];
    const chunks: Uint8Array[] = [];
    await using server = await liveServer(async (req, res) => {
      for await (const chunk of fleetingChunks(req)) {
        copies.push(Uint8Array.from(chunk));
        chunks.push(chunk);
      }
      res.end();
    });
    await (await fetch(server.url, { method: 'POST', body: new Uint8Array(bytes) })).text();
    expect(sha256(Buffer.concat(copies))).toBe(sha256(bytes));
    expect(chunks.length).toBeGreaterThan(1);
    const keptBytes = chunks.reduce((total, chunk) => total + chunk.byteLength, 0);
    expect(keptBytes).toBeLessThan(bytes.length / 10);
  });

  it('keeps the last requested chunk intact', async () => {
    const seen = Promise.withResolvers<number>();
    await using server = await liveServer(async (req) => {
      const chunks = fleetingChunks(req);
      const { value } = await chunks.next();
      await chunks.return();
      seen.resolve(value!.byteLength);
    });
    const client = await rawClient(server.port);
    client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(20_000)}`);
    expect(await seen.promise).toBeGreaterThan(0);
    client.socket.destroy();
  });

  it('throws BodyCutOff when the body ends early', async () => {
    const failure = Promise.withResolvers<unknown>();
    await using server = await liveServer(async (req) => {
      try {
        for await (const _chunk of fleetingChunks(req));
        failure.resolve(undefined);
      } catch (error) {
        failure.resolve(error);
      }
    });
    const client = await rawClient(server.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    client.socket.end();
    expect(await failure.promise).toBeInstanceOf(BodyCutOff);
    client.socket.destroy();
  });
});
