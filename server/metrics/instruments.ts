import {
  aggregated,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricsRegistry,
} from '#server/internals/prom-client-15.ts';

/** The metrics of a process, as values that can be sent. */
export type ProcessMetrics = readonly unknown[];

/** How the values of several workers become one. */
type Aggregator = 'max' | 'min' | 'sum';

/** A value for each label, read when the metrics are collected. */
export type Reading = Iterable<readonly [labels: Readonly<Record<string, string | number>>, value: number]>;

/** Returns functions that create metrics whose names begin with `cubby_`. */
export function instruments(registry: MetricsRegistry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `cubby_${name}`, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      new Histogram({ name: `cubby_${name}`, help, labelNames, buckets, registers }),
    gauge: (name: string, help: string, read: () => number | Promise<number>, aggregator: Aggregator = 'max') =>
      new Gauge({
        name: `cubby_${name}`,
        help,
        registers,
        aggregator,
        async collect() {
          this.set(await read());
        },
      }),
    /** A gauge that is set when something happens. */
    settable: (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name: `cubby_${name}`, help, labelNames, registers, aggregator: 'max' }),
    gauges: (
      name: string,
      help: string,
      { labelNames, aggregator = 'max' }: { labelNames: string[]; aggregator?: Aggregator },
      read: () => Reading | Promise<Reading>,
    ) =>
      new Gauge({
        name: `cubby_${name}`,
        help,
        labelNames,
        registers,
        aggregator,
        async collect() {
          const reading = await read();
          // Labels that are gone are not shown.
          this.reset();
          for (const [labels, value] of reading) this.set(labels, value);
        },
      }),
    /** A counter whose sum another part keeps. */
    counters: (name: string, help: string, labelNames: string[], read: () => Reading) =>
      new Counter({
        name: `cubby_${name}`,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      }),
  };
}

export type Instruments = ReturnType<typeof instruments>;

/** Makes an empty registry. */
export function newRegistry(): MetricsRegistry {
  return new Registry();
}

/** Returns the sums of the metrics of several processes, in the Prometheus text format. */
export function summed(all: readonly ProcessMetrics[]): Promise<string> {
  return aggregated(all).metrics();
}

/**
 * Returns the sums of what processes that have ended have counted. What they measured at a moment is gone with them.
 */
export function countsOfEnded(all: readonly ProcessMetrics[]): Promise<ProcessMetrics> {
  const isCount = (metric: unknown) => ['counter', 'histogram'].includes((metric as { type: string }).type);
  return aggregated(all.map((metrics) => metrics.filter(isCount))).getMetricsAsJSON();
}
