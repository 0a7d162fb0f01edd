import {
  constants,
  monitorEventLoopDelay,
  PerformanceObserver,
  performance,
  type PerformanceEntry,
} from 'node:perf_hooks';

import type { Instruments } from './instruments.ts';

interface ProcessMetricsWatch {
  /** Stops the measurements of the process. */
  close(): void;
}

/** The event loop is looked at this often. A shorter time would only cost more wake-ups of an idle server. */
const resolutionMs = 20;

/** Prometheus keeps the label `quantile` for summaries. */
const percentiles = [
  ['50', 50],
  ['99', 99],
  ['max', 100],
] as const;

const kinds = new Map<number | undefined, string>([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak-callbacks'],
]);

/** Measures the process: memory, processor, event loop, garbage collection. */
export function processMetrics(create: Instruments): ProcessMetricsWatch {
  const { counters, gauge } = create;
  gauge('resident_memory_bytes', 'Memory of the process, or of all workers.', () => process.memoryUsage.rss(), 'sum');
  gauge('heap_used_bytes', 'Memory of the process that JavaScript uses.', () => process.memoryUsage().heapUsed, 'sum');
  gauge(
    'start_time_seconds',
    'When the process started, in seconds since the epoch.',
    () => performance.timeOrigin / 1000,
  );
  counters('cpu_seconds_total', 'Processor time of the process.', ['mode'], () => {
    const { user, system } = process.cpuUsage();
    return [
      [{ mode: 'user' }, user / 1e6],
      [{ mode: 'system' }, system / 1e6],
    ];
  });
  const loop = watchLoop(create);
  const collections = watchCollections(create);
  return {
    close() {
      loop.close();
      collections.close();
    },
  };
}

function watchLoop({ counters, gauges }: Instruments): ProcessMetricsWatch {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  gauges(
    'event_loop_lag_seconds',
    'How late the event loop was since the last time that the metrics were read.',
    { labelNames: ['percentile'] },
    () => {
      // Without a measurement since then, the library returns NaN or the largest number.
      const hasAny = delay.count > 0;
      const values = percentiles.map(
        ([percentile, of]) => [{ percentile }, hasAny ? seconds(delay.percentile(of)) : 0] as const,
      );
      delay.reset();
      return values;
    },
  );
  counters('event_loop_active_seconds_total', 'Time in which the event loop did not wait for events.', [], () => [
    [{}, performance.eventLoopUtilization().active / 1000],
  ]);
  return { close: () => void delay.disable() };
}

function watchCollections({ counter }: Instruments): ProcessMetricsWatch {
  const time = counter('gc_seconds_total', 'Time of garbage collections, during which nothing else ran.', 'kind');
  const runs = counter('gc_runs_total', 'Garbage collections.', 'kind');
  const observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as GcEntry[]) {
      const kind = kinds.get(detail?.kind) ?? 'other';
      time.inc({ kind }, duration / 1000);
      runs.inc({ kind });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return { close: () => observer.disconnect() };
}

type GcEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };
