import type { Instruments } from '#server/metrics/instruments.ts';
import { gatewayMetrics } from './gateway.ts';
import { modelMetrics } from './models.ts';

declare module '#server/metrics/feature-metrics.ts' {
  interface FeatureMetrics extends ReturnType<typeof chatMetrics> {}
}

/** Creates the metrics of the AI gateway. */
export function chatMetrics(create: Instruments) {
  return { ...gatewayMetrics(create), ...modelMetrics(create) };
}
