import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

import { noUseExitCode } from '../check-node.js';
import type { Log } from '../log.ts';
import { countsOfEnded } from '../metrics/instruments.ts';
import { NeedsChange } from '../needs-change.ts';
import type { FromParent, FromWorker, ProcessMetrics } from './messages.ts';

/** A worker that ends is replaced after this time. It doubles each time, until a worker has run for a while. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const settledAfterMs = 60_000;

/** How long the workers have for their metrics. */
const metricsWithinMs = 1_000;

/** The workers of this process. */
interface Workers {
  /** Tells all workers to stop, and waits until they have ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Tells all workers to read their files again. */
  reload(): void;
}

/**
 * Starts workers that share the ports, and replaces those that end. The first one starts alone, because it prepares the
 * database. Resolves when it listens.
 *
 * @param onText called with the text that the first worker has for the person who started the server
 * @throws if the first worker ended before that. It has printed the reason
 * @throws {NeedsChange} if it says so by its exit code
 */
export async function supervise(count: number, log: Log, onText: (text: string) => void): Promise<Workers> {
  let isStopping = false;
  let pauseMs = firstPauseMs;
  const metrics = new WorkerMetrics();
  // Workers accept connections themselves. Otherwise this process passes them on, and keeps one for ever that it has
  // passed to a worker that was killed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;

  const start = (): Worker => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'metrics-wanted') void metrics.send(worker, message.request, message.own);
    });
    worker.on('exit', (code, signal) => {
      metrics.keepOf(worker);
      if (isStopping) return;
      if (performance.now() - startedAt > settledAfterMs) pauseMs = firstPauseMs;
      log.error({ worker: worker.id, code, signal, restart_ms: pauseMs }, 'a worker ended: another takes its place');
      setTimeout(() => isStopping || start(), pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    });
    return worker;
  };

  onText(await firstStarted());
  for (let more = 1; more < count; more++) start();
  log.info({ workers: count }, 'workers share the ports');
  return {
    reload() {
      for (const worker of running()) tell(worker, { type: 'reload' });
    },
    async stop(signal) {
      isStopping = true;
      const workers = running();
      for (const worker of workers) tell(worker, { type: 'stop', signal });
      await Promise.all(workers.map((worker) => once(worker, 'exit')));
    },
  };

  function firstStarted(): Promise<string> {
    return new Promise((resolve, reject) => {
      const first = start();
      const onExit = (code: number | null) => {
        isStopping = true;
        const message = 'The first worker could not start.';
        reject(code === noUseExitCode ? new NeedsChange(message) : new Error(message));
      };
      first.prependOnceListener('exit', onExit);
      first.on('message', (message: FromWorker) => {
        if (message.type !== 'listening') return;
        first.off('exit', onExit);
        resolve(message.text);
      });
    });
  }
}

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function tell(worker: Worker, message: FromParent): void {
  // A worker that is just ending cannot be told anything.
  if (worker.isConnected()) worker.send(message);
}

/** The metrics of the workers, as they were last collected, so that no count goes backwards when one of them ends. */
class WorkerMetrics {
  readonly #last = new Map<number, ProcessMetrics>();
  /** The counts of all workers that have ended. */
  #ended: Promise<ProcessMetrics> | undefined;

  /** Collects the metrics of all other workers for one of them. */
  async send(requester: Worker, request: number, own: ProcessMetrics): Promise<void> {
    this.#last.set(requester.id, own);
    const others = running().filter((worker) => worker !== requester);
    const answers = await Promise.all(others.map((worker) => this.#of(worker)));
    const all = [...answers, await this.#ended].filter((metrics) => metrics !== undefined);
    tell(requester, { type: 'metrics', request, all });
  }

  /** Keeps the counts of a worker that has ended. */
  keepOf({ id }: Worker): void {
    const last = this.#last.get(id);
    this.#last.delete(id);
    if (!last) return;
    const before = this.#ended;
    this.#ended = (async () => countsOfEnded([last, (await before) ?? []]))();
  }

  async #of(worker: Worker): Promise<ProcessMetrics | undefined> {
    const metrics = worker.isConnected() ? await metricsOf(worker) : undefined;
    // It may have ended meanwhile.
    if (metrics && !worker.isDead()) this.#last.set(worker.id, metrics);
    return metrics ?? this.#last.get(worker.id);
  }
}

let requests = 0;

function metricsOf(worker: Worker): Promise<ProcessMetrics | undefined> {
  return new Promise((resolve) => {
    const request = ++requests;
    const done = (metrics?: ProcessMetrics): void => {
      clearTimeout(timer);
      worker.off('message', listener);
      resolve(metrics);
    };
    const listener = (message: FromWorker): void => {
      if (message.type === 'metrics' && message.request === request) done(message.metrics);
    };
    const timer = setTimeout(done, metricsWithinMs);
    worker.on('message', listener);
    tell(worker, { type: 'metrics-wanted', request });
  });
}
