import type { Instruments } from './instruments.ts';

/** The bytes of bodies in memory, by their holder. */
type HeldBodies = ReadonlyArray<readonly [holder: string, bytes: number]>;

/** Describes the bodies of requests that are in memory. */
export function bodyMetrics({ counter, gauges }: Instruments) {
  const refused = counter(
    'bodies_refused_total',
    'Bodies that were refused or cut off, because the memory for bodies of this holder is used up.',
    'holder',
  );
  let readBodies: () => HeldBodies = () => [];
  gauges(
    'held_body_bytes',
    'Bytes of request bodies in memory. The holder is "caller", "anonymous" or "form".',
    { labelNames: ['holder'], aggregator: 'sum' },
    () => readBodies().map(([holder, bytes]) => [{ holder }, bytes] as const),
  );
  return {
    /** A body was refused or cut off, because the memory of its holder is used up. */
    bodyRefused: (holder: string) => refused.inc({ holder }),
    watchBodies: (read: () => HeldBodies) => void (readBodies = read),
  };
}
