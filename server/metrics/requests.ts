import type { Instruments } from './instruments.ts';

/** A request that has ended. */
interface EndedRequest {
  readonly door: string;
  readonly operation: string;
  readonly status: number | 'aborted';
  /** The code of its error. */
  readonly code?: string | undefined;
  readonly durationMs: number;
}

/** In seconds: from a row in memory to an upload that a slow line takes minutes for. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** A gauge by one label, of which the workers' values are added up. */
function summed(label: string) {
  return { labelNames: [label], aggregator: 'sum' as const };
}

/** Counts the requests of all doors. */
export function requestMetrics(instruments: Instruments) {
  const { counter, gauges, histogram } = instruments;
  const requests = counter(
    'requests_total',
    'Requests answered. The code is that of an error, or "none".',
    'door',
    'operation',
    'status',
    'code',
  );
  const duration = histogram(
    'request_duration_seconds',
    'Time from the request line to the last byte of the response.',
    buckets,
    'door',
    'operation',
  );
  const received = counter('received_bytes_total', 'Bytes of files that were stored.', 'door');
  const sent = counter('sent_bytes_total', 'Bytes of files that were handed to the network.', 'door');
  const faults = counter('faults_total', 'Faults of the server, each with a line in the log.');
  const running = tally();
  gauges('requests_running', 'Requests that have no complete response yet.', summed('door'), () => running.as('door'));
  const slots = tally();
  gauges('slots_taken', 'Slots for requests at once that are taken.', summed('kind'), () => slots.as('kind'));
  return {
    ...waitMetrics(instruments),
    requestBegun: (door: string) => running.add(door, 1),
    requestEnded({ door, operation, status, code = 'none', durationMs }: EndedRequest) {
      running.add(door, -1);
      requests.inc({ door, operation, status, code });
      duration.observe({ door, operation }, durationMs / 1000);
    },
    bytesReceived: (door: string, bytes: number) => received.inc({ door }, bytes),
    bytesSent: (door: string, bytes: number) => sent.inc({ door }, bytes),
    faultLogged: () => faults.inc(),
    /** A slot was taken (1) or given back (-1). `kind` names the limit. */
    slotChanged: (kind: string, change: 1 | -1) => slots.add(kind, change),
  };
}

/** Counts the requests that wait for their turn. */
function waitMetrics({ counter, gauges, histogram }: Instruments) {
  const waits = tally();
  gauges('requests_waiting', 'Requests over a limit that wait for their turn.', summed('limit'), () =>
    waits.as('limit'),
  );
  const waited = histogram(
    'request_wait_seconds',
    'How long requests over a limit waited until their turn came.',
    [0.1, 0.5, 1, 2.5, 5, 10, 15],
    'limit',
  );
  const unadmitted = counter(
    'request_waits_refused_total',
    'Requests over a limit whose turn did not come: too many waited or it took too long ("refused"), their ' +
      'client left, or the server stopped.',
    'limit',
    'reason',
  );
  return {
    /** A request began to wait for its turn. */
    waitBegun: (limit: string) => waits.add(limit, 1),
    waitEnded(limit: string, end: 'admitted' | 'refused' | 'left' | 'stopped', waitedMs: number) {
      waits.add(limit, -1);
      if (end === 'admitted') waited.observe({ limit }, waitedMs / 1000);
      else unadmitted.inc({ limit, reason: end });
    },
    /** A request over a limit was refused at once, because it could not wait. */
    waitRefused: (limit: string) => unadmitted.inc({ limit, reason: 'refused' }),
  };
}

/** Sums by a name. Cheaper than a gauge, which builds a key of its labels for each change. */
function tally() {
  const sums = new Map<string, number>();
  return {
    add: (name: string, change: number): void => void sums.set(name, (sums.get(name) ?? 0) + change),
    as: (label: string) => Array.from(sums, ([name, sum]) => [{ [label]: name }, sum] as const),
  };
}
