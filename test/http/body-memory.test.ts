import { describe, expect, it, vi } from 'vitest';

import type { BodyHold } from '#server/http/body-memory.ts';
import { GatheredBytes, readWhole } from '#server/http/whole-body.ts';
import { bodyMemory, openHold } from '#test/support/body-hold.ts';
import { eventually } from '#test/support/eventually.ts';
import { liveServer, rawClient } from './live-server.ts';

const kib = 1024;
const none = (): void => {};

describe('BodyMemory', () => {
  it('refuses more bytes than one holder may have, and counts none of those that it refuses', () => {
    const refused: string[] = [];
    const memory = bodyMemory({ maxBytes: 10 * kib, onRefused: (holder) => refused.push(holder) });
    const holds = ['a', 'b'].map((address) => memory.open('caller', address, none));
    holds[0]!.take(6 * kib);
    holds[1]!.take(4 * kib);
    expect(() => holds[1]!.take(1)).toThrow('no-memory');
    expect([memory.bytesOf('caller'), refused]).toEqual([10 * kib, ['caller']]);
    holds[0]!.release();
    holds[0]!.release();
    holds[1]!.take(1);
    expect(memory.bytesOf('caller')).toBe(4 * kib + 1);
  });

  it('keeps the holders apart', () => {
    const memory = bodyMemory({ maxBytes: 10 * kib });
    memory.open('anonymous', 'a', none).take(10 * kib);
    memory.open('form', 'a', none).take(10 * kib);
    memory.open('caller', 'a', none).take(10 * kib);
  });

  it('refuses more bytes from one address', () => {
    const memory = bodyMemory({ maxBytes: 10 * kib, maxBytesOfAddress: 4 * kib });
    memory.open('caller', 'a', none).take(4 * kib);
    expect(() => memory.open('caller', 'a', none).take(1)).toThrow('no-memory');
    memory.open('caller', 'b', none).take(4 * kib);
  });

  it('counts a kibibyte for the smallest body', () => {
    const memory = bodyMemory();
    memory.open('caller', 'a', none).take(1);
    expect(memory.bytesOf('caller')).toBe(kib);
  });

  it('moves the bytes to another holder', () => {
    const memory = bodyMemory({ maxBytes: 10 * kib });
    const hold = memory.open('form', 'a', none);
    hold.take(4 * kib);
    hold.moveTo('caller');
    expect([memory.bytesOf('form'), memory.bytesOf('caller')]).toEqual([0, 4 * kib]);
    hold.release();
    expect(memory.bytesOf('caller')).toBe(0);
  });

  describe('of a holder without a credential, when it is full,', () => {
    function full(addresses: readonly string[], limits: { readonly maxBytesOfAddress?: number } = {}) {
      vi.useFakeTimers({ toFake: ['performance'] });
      const cut: string[] = [];
      const memory = bodyMemory({ maxBytes: 4 * kib, ...limits });
      const holds = addresses.map((address, index) => {
        const hold: BodyHold = memory.open('anonymous', address, () => void cut.push(`${address}${index}`));
        hold.take(kib);
        return hold;
      });
      return { memory, holds, cut };
    }

    it('cuts off the oldest incomplete body', () => {
      const { memory, holds, cut } = full(['a', 'b', 'c', 'd']);
      holds[0]!.complete();
      vi.advanceTimersByTime(1001);
      memory.open('anonymous', 'e', none).take(kib);
      expect(cut).toEqual(['b1']);
      expect(memory.bytesOf('anonymous')).toBe(4 * kib);
      vi.useRealTimers();
    });

    it('refuses the newest while the others are young', () => {
      const { memory, cut } = full(['a', 'b', 'c', 'd']);
      expect(() => memory.open('anonymous', 'e', none).take(kib)).toThrow('no-memory');
      expect(cut).toEqual([]);
      vi.useRealTimers();
    });

    it('cuts off bodies of the same address, if that has too many', () => {
      const { memory, cut } = full(['a', 'b', 'b'], { maxBytesOfAddress: 2 * kib });
      vi.advanceTimersByTime(1001);
      memory.open('anonymous', 'b', none).take(kib);
      expect(cut).toEqual(['b1']);
      vi.useRealTimers();
    });
  });
});

describe('GatheredBytes', () => {
  it('keeps tiny pieces in one buffer, and counts its size', () => {
    const memory = bodyMemory();
    const gathered = new GatheredBytes(memory.open('caller', 'a', none));
    const text = 'a tiny piece for each letter '.repeat(500);
    for (const letter of text) gathered.add(Buffer.from(letter));
    expect(gathered.bytes.toString()).toBe(text);
    expect(memory.bytesOf('caller')).toBeGreaterThanOrEqual(gathered.bytes.buffer.byteLength);
    expect(memory.bytesOf('caller')).toBeLessThan(2 * text.length + 4 * kib);
  });
});

describe('readWhole()', () => {
  it('counts bytes as they arrive, and not those that are announced', async () => {
    const memory = bodyMemory();
    const hold = memory.open('caller', 'a', none);
    await using server = await liveServer(async (req, res) => {
      await readWhole(req, { maxBytes: 1_000_000, hold }).catch(none);
      res.end();
    });
    const client = await rawClient(server.port);
    client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n${'a'.repeat(2000)}`);
    await eventually(() => expect(memory.bytesOf('caller')).toBe(2000));
    client.socket.destroy();
  });

  it('closes a connection that stalls', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using server = await liveServer(
      (req) => void readWhole(req, { maxBytes: 1000, hold: openHold() }).catch(none),
    );
    const client = await rawClient(server.port);
    const asked = new Promise((resolve) => server.server.once('request', resolve));
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n');
    await asked;
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(60_000);
    expect(await client.closed()).toBe('');
    vi.useRealTimers();
  });
});
