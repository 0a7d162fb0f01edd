import { describe, expect, it } from 'vitest';

import { CutSource } from '#server/features/uploads/cut-source.ts';
import { TestClock } from '#test/support/clock.ts';

const endless = { maxBytes: Infinity, maxMs: Infinity };

async function read(piece: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of piece) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function* from(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const sourceOf = (source: AsyncIterable<Uint8Array>, stop = new AbortController().signal, clock = new TestClock()) =>
  new CutSource(source, stop, clock);

describe('a CutSource', () => {
  it('cuts within chunks and across them, and loses no byte', async () => {
    const source = sourceOf(from('abc', '', 'defg', 'h'));
    const pieces: string[] = [];
    while (await source.hasMore()) pieces.push(await read(source.piece({ ...endless, maxBytes: 3 })));
    expect(pieces).toEqual(['abc', 'def', 'gh']);
    expect(source.failure).toBeUndefined();
  });

  it('ends a piece that has lasted long, but not an empty one', async () => {
    const clock = new TestClock();
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (const chunk of ['a', 'b', 'c']) {
        clock.advance(6);
        yield Buffer.from(chunk);
      }
    }
    const source = sourceOf(slow(), undefined, clock);
    const pieces: string[] = [];
    while (await source.hasMore()) pieces.push(await read(source.piece({ maxBytes: 9, maxMs: 5 })));
    expect(pieces).toEqual(['ab', 'c']);
  });

  it('ends without an error when its source fails, and says why', async () => {
    const error = new Error('cut off');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* from('ab');
      throw error;
    }
    const source = sourceOf(failing());
    expect(await read(source.piece(endless))).toBe('ab');
    expect(await source.hasMore()).toBe(false);
    expect(source.failure).toEqual({ error });
  });

  it('ends at once when it is stopped while it waits', async () => {
    const controller = new AbortController();
    async function* hanging(): AsyncGenerator<Uint8Array> {
      yield* from('ab');
      await new Promise(() => {});
    }
    const source = sourceOf(hanging(), controller.signal);
    const reading = read(source.piece(endless));
    const reason = new Error('taken over');
    setTimeout(() => controller.abort(reason), 5);
    expect(await reading).toBe('ab');
    expect(source.failure).toEqual({ error: reason });
  });
});
