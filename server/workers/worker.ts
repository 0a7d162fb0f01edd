import type { FromParent, FromWorker, ProcessMetrics } from './messages.ts';

/** How long the metrics of other workers are waited for. The parent answers sooner. */
const metricsWithinMs = 3_000;

/** The link of a worker to its parent. */
export interface WorkerLink {
  /** Tells the parent that this worker listens. */
  listening(text: string): void;
  /**
   * Returns the metrics of the other workers, and the counts of those that have ended. A worker that does not answer in
   * time has its last ones.
   *
   * @param own the metrics of this one, which the parent keeps
   */
  otherMetrics(own: ProcessMetrics): Promise<readonly ProcessMetrics[]>;
  /** Lets the parent collect the metrics of this worker. */
  onMetricsWanted(collect: () => Promise<ProcessMetrics>): void;
  /** Calls `stop` when the parent says so. */
  onStop(stop: (signal: NodeJS.Signals) => void): void;
  /** Calls `reload` when the parent says so. */
  onReload(reload: () => void): void;
}

/** Opens the link of this process to its parent. */
export function workerLink(): WorkerLink {
  const send = (message: FromWorker): void => void process.send?.(message);
  const on = (listener: (message: FromParent) => void): void => void process.on('message', listener);
  let requests = 0;
  return {
    listening: (text) => send({ type: 'listening', text }),
    otherMetrics: (own) =>
      new Promise((resolve) => {
        const request = ++requests;
        const done = (all: readonly ProcessMetrics[]): void => {
          clearTimeout(timer);
          process.off('message', listener);
          resolve(all);
        };
        const listener = (message: FromParent): void => {
          if (message.type === 'metrics' && message.request === request) done(message.all);
        };
        const timer = setTimeout(done, metricsWithinMs, []);
        on(listener);
        send({ type: 'metrics-wanted', request, own });
      }),
    onMetricsWanted: (collect) =>
      on((message) => {
        if (message.type !== 'metrics-wanted') return;
        const { request } = message;
        void collect().then((metrics) => send({ type: 'metrics', request, metrics }));
      }),
    onStop: (stop) =>
      on((message) => {
        if (message.type === 'stop') stop(message.signal);
      }),
    onReload: (reload) =>
      on((message) => {
        if (message.type === 'reload') reload();
      }),
  };
}
