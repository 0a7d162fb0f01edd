import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { meteredStream, type Meter } from '#server/http/metered-stream.ts';

function bytes(count: number, chunk = 1000): Readable {
  return Readable.from(
    Array.from({ length: count / chunk }, () => Buffer.alloc(chunk)),
    { objectMode: false },
  );
}

/** Returns a meter with this first amount, and a record of the calls to it. */
function meter(firstBytes: number, takeMore: Meter['takeMore'] = async () => 700) {
  const told = { taken: firstBytes, ends: [] as Array<readonly [number, boolean]> };
  const counted = async () => {
    const more = await takeMore();
    told.taken += more;
    return more;
  };
  return {
    told,
    meter: {
      firstBytes,
      takeMore: counted,
      onClose: (unsent: number, isBegun: boolean) => void told.ends.push([unsent, isBegun]),
    },
  };
}

describe('meteredStream()', () => {
  it('passes on all bytes, in steps that do not match the chunks, and finally reports the unsent rest', async () => {
    const { meter: steps, told } = meter(1500);
    expect((await buffer(meteredStream(bytes(10_000), steps))).length).toBe(10_000);
    await expect.poll(() => told.ends).toEqual([[told.taken - 10_000, true]]);
  });

  it("sends only bytes that the meter granted, and fails with the meter's error", async () => {
    const { meter: steps, told } = meter(2500, async () => {
      throw new Error('nothing left');
    });
    const stream = meteredStream(bytes(10_000), steps);
    let received = 0;
    await expect(
      (async () => {
        for await (const chunk of stream) received += chunk.length;
      })(),
    ).rejects.toThrow('nothing left');
    expect([received, told.ends]).toEqual([2500, [[0, true]]]);
  });

  it('returns the unsent bytes when it is destroyed midway', async () => {
    const { meter: steps, told } = meter(10_000);
    for await (const _ of meteredStream(bytes(10_000), steps)) break;
    await expect.poll(() => told.ends).toEqual([[9000, true]]);
  });

  it('returns all bytes when it is destroyed before it flows, and closes its source', async () => {
    const { meter: steps, told } = meter(10_000);
    const source = bytes(10_000);
    meteredStream(source, steps).destroy();
    await expect.poll(() => [told.ends, source.destroyed]).toEqual([[[10_000, false]], true]);
  });

  it('returns bytes that are granted while it is destroyed', async () => {
    let take = (_: number) => {};
    const { meter: steps, told } = meter(1000, () => new Promise((resolve) => (take = resolve)));
    const stream = meteredStream(bytes(10_000), steps).resume();
    await expect.poll(() => (take(0), stream.readableDidRead)).toBe(true);
    stream.destroy();
    take(5000);
    await expect.poll(() => told.ends).toEqual([[told.taken - 1000, true]]);
  });

  it('counts as begun when it is empty and has ended', async () => {
    const { meter: steps, told } = meter(0);
    expect((await buffer(meteredStream(Readable.from([]), steps))).length).toBe(0);
    await expect.poll(() => told.ends).toEqual([[0, true]]);
  });

  it('counts as not begun when its source fails before the first byte, and fails with the same error', async () => {
    const { meter: steps, told } = meter(10);
    const source = new Readable({
      read() {
        this.destroy(new Error('broken'));
      },
    });
    await expect(buffer(meteredStream(source, steps))).rejects.toThrow('broken');
    await expect.poll(() => told.ends).toEqual([[10, false]]);
  });
});
