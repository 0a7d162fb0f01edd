import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What an answer of the AI gateway took. */
export interface CompletionCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searchesAnswered: number;
  readonly searchesFailed: number;
}

/** Room on the disk of the data folder. */
export interface DiskFigures {
  readonly isFull: boolean;
  readonly freeBytes: number;
  readonly floorBytes: number;
  readonly reserveBytes: number;
}

/** The server's counters. They name operations and statuses; never an account, a key or a file. */
export interface Metrics {
  readonly contentType: string;
  /** In the Prometheus text format. */
  render(): Promise<string>;
  requestAnswered(request: {
    readonly operation: string;
    readonly status: number | 'aborted';
    readonly durationMs: number;
  }): void;
  bytesReceived(bytes: number): void;
  bytesSent(bytes: number): void;
  faultLogged(): void;
  /**
   * What became of a request to the AI gateway whose body was in order: `answered`, `aborted`, `fault`, or the code of
   * its refusal.
   */
  completionEnded(outcome: string, spent?: CompletionCounts): void;
  /** One try at one of the servers behind the AI gateway, counted from 1. */
  upstreamTried(attempt: { readonly upstream: number; readonly outcome: string; readonly durationMs: number }): void;
  /** From now on the room on the disk is among the metrics. */
  watchDisk(state: () => DiskFigures): void;
  committed(batch: { readonly pieces: number; readonly durationMs: number }): void;
}

/** Counters of one server; several in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'cubby_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'cubby_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120],
    registers,
  });
  const received = new Counter({
    name: 'cubby_received_bytes_total',
    help: 'Bytes of files that were stored.',
    registers,
  });
  const sent = new Counter({
    name: 'cubby_sent_bytes_total',
    help: 'Bytes of files that were handed to the network.',
    registers,
  });
  const faults = new Counter({
    name: 'cubby_faults_total',
    help: 'Faults of the server, each with a line in the log.',
    registers,
  });
  const pieces = new Counter({
    name: 'cubby_transactions_total',
    help: 'Pieces of work committed to the database.',
    registers,
  });
  const commits = new Histogram({
    name: 'cubby_commit_duration_seconds',
    help: 'Time of one commit until it is durable, which serves all pieces of its batch.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
    registers,
  });
  const chat = chatMetrics(registers);
  new Gauge({
    name: 'cubby_resident_memory_bytes',
    help: 'Memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    requestAnswered: ({ operation, status, durationMs }) => {
      requests.inc({ operation, status });
      duration.observe({ operation }, durationMs / 1000);
    },
    bytesReceived: (bytes) => received.inc(bytes),
    bytesSent: (bytes) => sent.inc(bytes),
    faultLogged: () => faults.inc(),
    ...chat,
    watchDisk: (state) => diskMetrics(registers, state),
    committed: (batch) => {
      pieces.inc(batch.pieces);
      commits.observe(batch.durationMs / 1000);
    },
  };
}

function diskMetrics(registers: Registry[], state: () => DiskFigures): void {
  const gauges: ReadonlyArray<readonly [name: string, help: string, read: (figures: DiskFigures) => number]> = [
    [
      'cubby_disk_full',
      '1 while the disk has no room for new files and uploads are refused, else 0.',
      ({ isFull }) => Number(isFull),
    ],
    [
      'cubby_disk_free_bytes',
      'Free on the disk of the data folder, as it was seen last.',
      ({ freeBytes }) => freeBytes,
    ],
    ['cubby_disk_min_free_bytes', 'What is kept free there.', ({ floorBytes }) => floorBytes],
    [
      'cubby_disk_reserve_bytes',
      'What is kept for deletions on a disk that another program has filled.',
      ({ reserveBytes }) => reserveBytes,
    ],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(state()));
      },
    });
  }
}

function chatMetrics(registers: Registry[]): Pick<Metrics, 'completionEnded' | 'upstreamTried'> {
  const help = 'Requests to the AI gateway whose body was in order, by what became of them.';
  const completions = new Counter({ name: 'cubby_ai_requests_total', help, labelNames: ['outcome'], registers });
  const tokens = new Counter({
    name: 'cubby_ai_tokens_total',
    help: 'Tokens of answered requests.',
    labelNames: ['kind'],
    registers,
  });
  const searches = new Counter({
    name: 'cubby_ai_searches_total',
    help: 'Web searches of answered requests.',
    labelNames: ['outcome'],
    registers,
  });
  const attempts = new Counter({
    name: 'cubby_ai_upstream_attempts_total',
    help: 'Tries at the servers behind the AI gateway.',
    labelNames: ['upstream', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'cubby_ai_upstream_duration_seconds',
    help: 'Time of one try at a server behind the AI gateway.',
    labelNames: ['upstream'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 90],
    registers,
  });
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
