import { bodyMetrics, type BodyMetrics } from './metrics/bodies.ts';
import { databaseMetrics, type DatabaseMetrics } from './metrics/database.ts';
import { gatewayMetrics, type GatewayMetrics } from './metrics/gateway.ts';
import { instruments, newRegistry, summed, type ProcessMetrics } from './metrics/instruments.ts';
import { modelMetrics, type ModelMetrics } from './metrics/models.ts';
import { jobMetrics, type JobMetrics } from './metrics/jobs.ts';
import { processMetrics } from './metrics/process.ts';
import { requestMetrics, type RequestMetrics } from './metrics/requests.ts';
import { storeMetrics, type StoreMetrics } from './metrics/stores.ts';
import { upkeepMetrics, type UpkeepMetrics } from './metrics/upkeep.ts';

/** The server's metrics. Labels name doors, operations, codes and statuses, and never an account, a key or a file. */
export interface Metrics
  extends
    RequestMetrics,
    BodyMetrics,
    GatewayMetrics,
    ModelMetrics,
    JobMetrics,
    StoreMetrics,
    DatabaseMetrics,
    UpkeepMetrics {
  readonly contentType: string;
  /** In the Prometheus text format: the sums of all workers of this machine. */
  render(): Promise<string>;
  /** Returns the metrics of this process alone, for another worker that adds them up. */
  ofProcess(): Promise<ProcessMetrics>;
  /** Stops the measurements of the process. */
  close(): void;
}

/**
 * Creates the metrics of one server. Several servers in one process do not share them.
 *
 * @param others takes the metrics of this process, and returns those of the other workers of this machine
 */
export function createMetrics(others?: (own: ProcessMetrics) => Promise<readonly ProcessMetrics[]>): Metrics {
  const registry = newRegistry();
  const create = instruments(registry);
  const ofProcess = (): Promise<ProcessMetrics> => registry.getMetricsAsJSON();
  return {
    contentType: registry.contentType,
    async render() {
      if (!others) return registry.metrics();
      const own = await ofProcess();
      return summed([own, ...(await others(own))]);
    },
    ofProcess,
    ...requestMetrics(create),
    ...bodyMetrics(create),
    ...gatewayMetrics(create),
    ...modelMetrics(create),
    ...jobMetrics(create),
    ...storeMetrics(create),
    ...databaseMetrics(create),
    ...upkeepMetrics(create),
    ...processMetrics(create),
  };
}
