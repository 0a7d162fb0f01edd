import { createRequire } from 'node:module';

import type * as prom from 'prom-client';

/** The index of the package would also load its default metrics, and OpenTelemetry for them: 70 modules more. */
const require = createRequire(import.meta.url);
const Counter: typeof prom.Counter = require('prom-client/lib/counter.js');
const Gauge: typeof prom.Gauge = require('prom-client/lib/gauge.js');
const Histogram: typeof prom.Histogram = require('prom-client/lib/histogram.js');
const Registry: typeof prom.Registry = require('prom-client/lib/registry.js');

/** The tokens and searches that a response of the AI gateway consumed. */
interface CompletionCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searchesAnswered: number;
  readonly searchesFailed: number;
}

/** Space on the disk of the data folder. */
interface DiskFigures {
  readonly isFull: boolean;
  readonly freeBytes: number;
  readonly floorBytes: number;
  readonly reserveBytes: number;
}

/** The server's metrics. Labels name operations and statuses, and never an account, a key or a file. */
export interface Metrics {
  readonly contentType: string;
  /** In the Prometheus text format: the sums of all workers of this machine. */
  render(): Promise<string>;
  /** Returns the metrics of this process alone, for another worker that adds them up. */
  ofProcess(): Promise<ProcessMetrics>;
  requestAnswered(request: {
    readonly operation: string;
    readonly status: number | 'aborted';
    readonly durationMs: number;
  }): void;
  bytesReceived(bytes: number): void;
  bytesSent(bytes: number): void;
  faultLogged(): void;
  /** The result of an AI gateway request with a valid body: `answered`, `aborted`, `fault`, or its error code. */
  completionEnded(outcome: string, spent?: CompletionCounts): void;
  /** One attempt at a server behind the AI gateway. `upstream` counts from 1. */
  upstreamTried(attempt: { readonly upstream: number; readonly outcome: string; readonly durationMs: number }): void;
  /** Adds the space on the disk to the metrics. */
  watchDisk(state: () => DiskFigures): void;
  /** Adds the state of the bucket to the metrics. */
  watchBucket(isDown: () => boolean): void;
  committed(batch: { readonly pieces: number; readonly durationMs: number }): void;
}

/** The metrics of a process, as values that can be sent. */
type ProcessMetrics = readonly unknown[];

/**
 * Creates the metrics of one server. Several servers in one process do not share them.
 *
 * @param others returns the metrics of the other workers of this machine
 */
export function createMetrics(others?: () => Promise<readonly ProcessMetrics[]>): Metrics {
  const registry = new Registry();
  const create = instruments(registry);
  const requests = create.counter('requests_total', 'Requests answered.', 'operation', 'status');
  const duration = create.histogram(
    'request_duration_seconds',
    'Time from the request line to the last byte of the response.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120],
    'operation',
  );
  const received = create.counter('received_bytes_total', 'Bytes of files that were stored.');
  const sent = create.counter('sent_bytes_total', 'Bytes of files that were handed to the network.');
  const faults = create.counter('faults_total', 'Faults of the server, each with a line in the log.');
  const pieces = create.counter('transactions_total', 'Transactions committed to the database.');
  const commits = create.histogram(
    'commit_duration_seconds',
    'Time of one commit until it is durable, shared by all transactions of its batch.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
  );
  const chat = chatMetrics(create);
  create.gauge(
    'resident_memory_bytes',
    'Memory of the process, or of all workers.',
    () => process.memoryUsage.rss(),
    'sum',
  );
  const ofProcess = (): Promise<ProcessMetrics> => registry.getMetricsAsJSON();
  return {
    contentType: registry.contentType,
    render: async () => (others ? summed([await ofProcess(), ...(await others())]) : registry.metrics()),
    ofProcess,
    requestAnswered: ({ operation, status, durationMs }) => {
      requests.inc({ operation, status });
      duration.observe({ operation }, durationMs / 1000);
    },
    bytesReceived: (bytes) => received.inc(bytes),
    bytesSent: (bytes) => sent.inc(bytes),
    faultLogged: () => faults.inc(),
    ...chat,
    watchDisk: (state) => diskMetrics(create, state),
    watchBucket: (isDown) =>
      create.gauge('bucket_down', '1 while the bucket does not work and larger files are refused, otherwise 0.', () =>
        Number(isDown()),
      ),
    committed: (batch) => {
      pieces.inc(batch.pieces);
      commits.observe(batch.durationMs / 1000);
    },
  };
}

/** Returns the sums of the metrics of several processes, in the Prometheus text format. */
function summed(all: readonly ProcessMetrics[]): Promise<string> {
  // Only a server with workers loads this.
  const { aggregate }: typeof prom.AggregatorRegistry = require('prom-client/lib/cluster.js');
  return aggregate(all as object[]).metrics();
}

/** Returns functions that create metrics whose names begin with `cubby_`. */
function instruments(registry: prom.Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `cubby_${name}`, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      new Histogram({ name: `cubby_${name}`, help, labelNames, buckets, registers }),
    /** @param aggregator how the values of several workers become one */
    gauge: (name: string, help: string, read: () => number, aggregator: 'max' | 'sum' = 'max') =>
      new Gauge({
        name: `cubby_${name}`,
        help,
        registers,
        aggregator,
        collect() {
          this.set(read());
        },
      }),
  };
}

type Instruments = ReturnType<typeof instruments>;

function diskMetrics({ gauge }: Instruments, state: () => DiskFigures): void {
  gauge('disk_full', '1 while the disk has no space for new files and uploads are rejected, otherwise 0.', () =>
    Number(state().isFull),
  );
  gauge('disk_free_bytes', 'Free space on the disk of the data folder at the last check.', () => state().freeBytes);
  gauge('disk_min_free_bytes', 'Free space that uploads leave on that disk.', () => state().floorBytes);
  gauge(
    'disk_reserve_bytes',
    'Space reserved for deletions on a disk that another program has filled.',
    () => state().reserveBytes,
  );
}

function chatMetrics({ counter, histogram }: Instruments): Pick<Metrics, 'completionEnded' | 'upstreamTried'> {
  const completions = counter('ai_requests_total', 'AI gateway requests with a valid body, by outcome.', 'outcome');
  const tokens = counter('ai_tokens_total', 'Tokens of answered requests.', 'kind');
  const searches = counter('ai_searches_total', 'Web searches of answered requests.', 'outcome');
  const attempts = counter(
    'ai_upstream_attempts_total',
    'Attempts at the servers behind the AI gateway.',
    'upstream',
    'outcome',
  );
  const duration = histogram(
    'ai_upstream_duration_seconds',
    'Time of one attempt at a server behind the AI gateway.',
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 90],
    'upstream',
  );
  return {
    completionEnded(outcome, spent) {
      completions.inc({ outcome });
      if (!spent) return;
      tokens.inc({ kind: 'input' }, spent.inputTokens);
      tokens.inc({ kind: 'output' }, spent.outputTokens);
      searches.inc({ outcome: 'answered' }, spent.searchesAnswered);
      searches.inc({ outcome: 'failed' }, spent.searchesFailed);
    },
    upstreamTried({ upstream, outcome, durationMs }) {
      attempts.inc({ upstream, outcome });
      duration.observe({ upstream }, durationMs / 1000);
    },
  };
}
