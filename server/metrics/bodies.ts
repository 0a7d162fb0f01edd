import type { Instruments } from './instruments.ts';

export interface BodyMetrics {
  /** A body was refused or cut off, because the memory of its holder is used up. */
  bodyRefused(holder: string): void;
  /** Adds the bytes of bodies in memory to the metrics, by their holder. */
  watchBodies(read: () => ReadonlyArray<readonly [holder: string, bytes: number]>): void;
}

/** Describes the bodies of requests that are in memory. */
export function bodyMetrics({ counter, gauges }: Instruments): BodyMetrics {
  const refused = counter(
    'bodies_refused_total',
    'Bodies that were refused or cut off, because the memory for bodies of this holder is used up.',
    'holder',
  );
  let readBodies: () => ReadonlyArray<readonly [string, number]> = () => [];
  gauges(
    'held_body_bytes',
    'Bytes of request bodies in memory. The holder is "caller", "anonymous" or "form".',
    { labelNames: ['holder'], aggregator: 'sum' },
    () => readBodies().map(([holder, bytes]) => [{ holder }, bytes] as const),
  );
  return {
    bodyRefused: (holder) => refused.inc({ holder }),
    watchBodies: (read) => void (readBodies = read),
  };
}
