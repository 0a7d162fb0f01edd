import { nextOrAbort, release } from '../abortable-source.ts';
import type { HashedContent } from './hashed-content.ts';

/** Writes all of `bytes`. The buffer may be used again when it resolves. */
export type Write = (bytes: Uint8Array) => Promise<void>;

/**
 * Writes everything that `source` yields, in order and in its own pieces. Reads the next piece when the last one is
 * written. It ends like {@link writeAll}.
 */
export async function passOn(write: Write, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (let next = await nextOrAbort(iterator, signal); !next.done; next = await nextOrAbort(iterator, signal))
      await write(next.value);
    ended = true;
  } finally {
    if (!ended) release(iterator);
  }
}

/**
 * Writes and hashes everything that `source` yields, in order. Takes the next chunk only when there is space for it. A
 * source that is not read to its end is closed, as `for await` does.
 *
 * @throws the reason of `signal` as soon as it is aborted, even while the source hangs
 * @throws the errors of `source`, `write` and `content` as they are
 */
export async function writeAll(
  write: Write,
  content: Pick<HashedContent, 'slab' | 'add' | 'end'>,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  let slab: Uint8Array | undefined;
  let used = 0;
  let ended = false;
  try {
    for (;;) {
      const next = await nextOrAbort(iterator, signal);
      if (next.done) break;
      let chunk = next.value;
      while (chunk.byteLength > 0) {
        slab ??= await content.slab();
        const taken = chunk.subarray(0, slab.byteLength - used);
        slab.set(taken, used); // copied, because the source may use its chunk again
        used += taken.byteLength;
        chunk = chunk.subarray(taken.byteLength);
        if (used < slab.byteLength) continue;
        content.add(slab); // hashed and written at the same time
        await write(slab);
        slab = undefined;
        used = 0;
      }
    }
    ended = true;
    const rest = slab?.subarray(0, used) ?? new Uint8Array();
    content.end(rest);
    if (rest.byteLength > 0) await write(rest);
  } finally {
    if (!ended) release(iterator);
  }
}
