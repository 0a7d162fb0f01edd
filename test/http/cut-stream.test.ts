import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { cutStream } from '#server/http/cut-stream.ts';

function bytes(count: number, chunk = 1000): Readable {
  return Readable.from(Array.from({ length: count / chunk }, () => Buffer.alloc(chunk)), { objectMode: false });
}

/** How it ended. */
function ends() {
  const all: Array<readonly [number, boolean]> = [];
  return { all, note: (sentBytes: number, isComplete: boolean) => void all.push([sentBytes, isComplete]) };
}

describe('cutStream()', () => {
  it('gives all bytes when nothing cuts it, and says so once', async () => {
    const ended = ends();
    const { stream } = cutStream(bytes(10_000), 10_000, new AbortController(), ended.note);
    expect((await buffer(stream)).length).toBe(10_000);
    await expect.poll(() => ended.all).toEqual([[10_000, true]]);
  });

  it('gives no byte behind the cut, also within a chunk, and waits for its client to leave', async () => {
    const ended = ends();
    const stop = new AbortController();
    const cut = cutStream(bytes(10_000), 10_000, stop, ended.note);
    cut.cutAt(2500);
    let received = 0;
    cut.stream.on('data', (chunk: Buffer) => void (received += chunk.length));
    await expect.poll(() => received).toBe(2500);
    expect([cut.sentBytes(), stop.signal.aborted, ended.all]).toEqual([2500, false, []]);
    cut.stream.destroy();
    await expect.poll(() => ended.all).toEqual([[2500, false]]);
    expect(stop.signal.aborted).toBe(false);
  });

  it('stops an answer whose client does not leave', async () => {
    const stop = new AbortController();
    const cut = cutStream(bytes(10_000), 10_000, stop, () => {}, 100);
    cut.cutAt(1000);
    cut.stream.resume();
    await once(cut.stream, 'error');
    expect([stop.signal.aborted, cut.sentBytes()]).toEqual([true, 1000]);
  });

  it('says that nothing was sent when it is destroyed before it flows, and closes its source', async () => {
    const ended = ends();
    const source = bytes(10_000);
    cutStream(source, 10_000, new AbortController(), ended.note).stream.destroy();
    await expect.poll(() => [ended.all, source.destroyed]).toEqual([[[0, false]], true]);
  });

  it('fails as its source does', async () => {
    const ended = ends();
    const source = new Readable({ read() { this.destroy(new Error('broken')); } });
    await expect(buffer(cutStream(source, 10, new AbortController(), ended.note).stream)).rejects.toThrow('broken');
    await expect.poll(() => ended.all).toEqual([[0, false]]);
  });
});
