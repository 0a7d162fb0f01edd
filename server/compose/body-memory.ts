import { BodyMemory, bodyHolders } from '#server/http/body-memory.ts';
import type { BodyPace } from '#server/http/body-pace.ts';
import type { Metrics } from '../metrics.ts';

/** A buffered body is small, so it comes within seconds or not at all. */
const slowestBuffered: BodyPace = { minBytes: 32_768, everyMs: 30_000 };

/**
 * Creates the account of the bodies that the process has in memory. A quarter of it is for senders without a credential
 * and for forms that bring theirs. One address gets a quarter of theirs, and half of what callers have.
 */
export function composeBodyMemory(
  maxBytes: number,
  metrics: Pick<Metrics, 'bodyRefused' | 'watchBodies'>,
  slowest: BodyPace = slowestBuffered,
): BodyMemory {
  const share = (part: number, ofAddress: number) => ({
    maxBytes: Math.floor(maxBytes * part),
    maxBytesOfAddress: Math.floor(maxBytes * part * ofAddress),
  });
  const memory = new BodyMemory({
    limits: { caller: share(3 / 4, 1 / 2), anonymous: share(1 / 8, 1 / 4), form: share(1 / 8, 1 / 4) },
    slowest,
    onRefused: metrics.bodyRefused,
  });
  metrics.watchBodies(() => bodyHolders.map((holder) => [holder, memory.bytesOf(holder)]));
  return memory;
}
