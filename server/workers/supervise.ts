import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

import type { Log } from '../log.ts';
import type { FromParent, FromWorker, ProcessMetrics } from './messages.ts';

/** A worker that ends is replaced after this time. It doubles each time, until a worker has run for a while. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const settledAfterMs = 60_000;

/** How long the workers have for their metrics. */
const metricsWithinMs = 1_000;

/** The workers of this process. */
export interface Workers {
  /** Tells all workers to stop, and waits until they have ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Tells all workers to read their files again. */
  reload(): void;
}

/** The first worker ended before it listened. It has printed the reason. */
export class WorkerFailed extends Error {
  constructor() {
    super('The first worker could not start.');
    this.name = 'WorkerFailed';
  }
}

/**
 * Starts workers that share the ports, and replaces those that end. The first one starts alone, because it prepares the
 * database. Resolves when it listens.
 *
 * @param onText called with the text that the first worker has for the person who started the server
 * @throws {WorkerFailed}
 */
export async function supervise(count: number, log: Log, onText: (text: string) => void): Promise<Workers> {
  let isStopping = false;
  let pauseMs = firstPauseMs;

  const start = (): Worker => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'metrics-wanted') void sendMetrics(worker, message.request);
    });
    worker.on('exit', (code, signal) => {
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
      const onExit = () => {
        isStopping = true;
        reject(new WorkerFailed());
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

/** Collects the metrics of all other workers for one of them. */
async function sendMetrics(asking: Worker, request: number): Promise<void> {
  const others = running().filter((worker) => worker !== asking && worker.isConnected());
  const answers = await Promise.all(others.map((worker) => metricsOf(worker)));
  tell(asking, { type: 'metrics', request, all: answers.filter((metrics) => metrics !== undefined) });
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
