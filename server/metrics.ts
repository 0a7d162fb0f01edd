import { bodyMetrics } from './metrics/bodies.ts';
import { databaseMetrics } from './metrics/database.ts';
import { metricsOfFeatures } from './feature-parts.ts';
import type { FeatureMetrics } from './metrics/feature-metrics.ts';
import { instruments, newRegistry, summed, type ProcessMetrics } from './metrics/instruments.ts';
import { jobMetrics } from './metrics/jobs.ts';
import { processMetrics } from './metrics/process.ts';
import { requestMetrics } from './metrics/requests.ts';
import { storeMetrics } from './metrics/stores.ts';
import { upkeepMetrics } from './metrics/upkeep.ts';

/** The server's metrics. Labels name doors, operations, codes and statuses, and never an account, a key or a file. */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of one server. Several servers in one process do not share them.
 *
 * @param others takes the metrics of this process, and returns those of the other workers of this machine
 */
export function createMetrics(others?: (own: ProcessMetrics) => Promise<readonly ProcessMetrics[]>) {
  const registry = newRegistry();
  const create = instruments(registry);
  const ofProcess = (): Promise<ProcessMetrics> => registry.getMetricsAsJSON();
  return {
    contentType: registry.contentType,
    /** In the Prometheus text format: the sums of all workers of this machine. */
    async render() {
      if (!others) return registry.metrics();
      const own = await ofProcess();
      return summed([own, ...(await others(own))]);
    },
    /** Returns the metrics of this process alone, for another worker that adds them up. */
    ofProcess,
    ...requestMetrics(create),
    ...bodyMetrics(create),
    ...(Object.assign({}, ...metricsOfFeatures.map((of) => of(create))) as FeatureMetrics),
    ...jobMetrics(create),
    ...storeMetrics(create),
    ...databaseMetrics(create),
    ...upkeepMetrics(create),
    ...processMetrics(create),
  };
}
