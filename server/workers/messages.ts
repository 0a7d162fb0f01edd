/** The metrics of one process, as `prom-client` exchanges them. */
export type ProcessMetrics = readonly unknown[];

/** What a worker tells its parent. */
export type FromWorker =
  /** It listens. The text is for the person who started the server. */
  | { readonly type: 'listening'; readonly text: string }
  /** It wants the metrics of the other workers. The parent keeps its own. */
  | { readonly type: 'metrics-wanted'; readonly request: number; readonly own: ProcessMetrics }
  | { readonly type: 'metrics'; readonly request: number; readonly metrics: ProcessMetrics };

/** What the parent tells a worker. */
export type FromParent =
  | { readonly type: 'stop'; readonly signal: NodeJS.Signals }
  /** It reads the files again that the operator may change. */
  | { readonly type: 'reload' }
  /** The parent collects metrics. */
  | { readonly type: 'metrics-wanted'; readonly request: number }
  /** The metrics of the other workers, and the counts of those that have ended. */
  | { readonly type: 'metrics'; readonly request: number; readonly all: readonly ProcessMetrics[] };
