/**
 * The metrics of prom-client 15.1, each from its own file.
 *
 * Why: the index of the package also loads its default metrics, which nothing here uses, and OpenTelemetry's API for
 * them. That is 70 modules more at each start.
 *
 * What would break: the files, if the package moves them or lists its `exports`.
 */
import { createRequire } from 'node:module';

import type * as prom from 'prom-client';

const require = createRequire(import.meta.url);

export const Counter: typeof prom.Counter = require('prom-client/lib/counter.js');
export const Gauge: typeof prom.Gauge = require('prom-client/lib/gauge.js');
export const Histogram: typeof prom.Histogram = require('prom-client/lib/histogram.js');
export const Registry: typeof prom.Registry = require('prom-client/lib/registry.js');

/** The metrics of a registry of this package. */
export type { Registry as MetricsRegistry } from 'prom-client';

/** Adds up the metrics of several processes. Only a server with workers loads the file for it. */
export function aggregated(all: readonly (readonly unknown[])[]): prom.Registry {
  const { aggregate }: typeof prom.AggregatorRegistry = require('prom-client/lib/cluster.js');
  return aggregate(all as object[]);
}
