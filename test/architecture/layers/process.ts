import type { Layer } from './layer.ts';

/** What a process is made of: services outside it, jobs, settings, the command line, and its start. */
export const processLayers: readonly Layer[] = [
  // Services outside the process. They import log and configuration only as types.
  {
    files: ['server/backends/'],
    may: [
      'server/backends/',
      'server/domain/',
      'server/public-address.ts',
      'server/config/',
      'server/telemetry/tracing.ts',
      'node:',
      'npm:undici',
    ],
  },
  {
    files: ['server/jobs/jobs.ts'],
    may: ['server/jobs/', 'server/domain/', 'server/feature.ts', 'server/feature-parts.ts', 'server/features.ts'],
  },
  { files: ['server/jobs/'], may: ['server/jobs/', 'server/domain/'] },
  {
    files: ['server/cli/'],
    may: [
      'server/cli/',
      'server/features.ts',
      'server/causes.ts',
      'server/stop-signals.ts',
      'server/check-node.js',
      'server/compile-cache.js',
      // `--json` shows what the operator's API shows.
      'server/handlers/operator/views/',
      'server/domain/',
      'server/jobs/jobs.ts',
      'server/feature.ts',
      'server/feature-parts.ts',
      'server/config/',
      'server/stores/list-backups.ts',
      'server/stores/open.ts',
      'server/stores/open-backup.ts',
      'server/stores/open-check.ts',
      'server/stores/open-move.ts',
      'server/stores/open-restore.ts',
      'server/stores/rotate-master-key.ts',
      'server/stores/shrink-database.ts',
      'server/stores/stores.ts',
      'server/telemetry/',
      'server/log.ts',
      'server/public-address.ts',
      'server/version.ts',
      'node:',
      'npm:commander',
    ],
  },
  // The environment may switch features off.
  {
    files: ['server/config/features.ts'],
    may: ['server/config/', 'server/feature.ts', 'server/features.ts'],
  },
  { files: ['server/config/'], may: ['server/config/', 'server/needs-change.ts', 'node:'] },
  {
    files: ['server/causes.ts', 'server/event-loop.ts', 'server/circuit-breaker.ts', 'server/needs-change.ts'],
    may: [],
  },
  { files: ['server/public-address.ts'], may: ['node:net'] },
  // What traces is passed in. The types and the part that does nothing are all that others need.
  { files: ['server/telemetry/tracing.ts', 'server/telemetry/trace-context.ts'], may: ['node:http'] },
  // The operator installs OpenTelemetry, so only this file may import it.
  {
    files: ['server/telemetry/'],
    may: [
      'server/telemetry/',
      'server/config/',
      'node:async_hooks',
      'npm:@opentelemetry/api',
      'npm:@opentelemetry/exporter-logs-otlp-http',
      'npm:@opentelemetry/exporter-trace-otlp-http',
      'npm:@opentelemetry/resources',
      'npm:@opentelemetry/sdk-logs',
      'npm:@opentelemetry/sdk-trace',
    ],
  },
  { files: ['server/version.ts'], may: ['node:'] },
  { files: ['server/log.ts'], may: ['server/config/', 'npm:pino'] },
  {
    files: ['server/metrics.ts', 'server/metrics/'],
    may: [
      'server/metrics/',
      'server/feature.ts',
      'server/feature-parts.ts',
      'server/internals/prom-client-15.ts',
      'node:',
    ],
  },
  { files: ['server/compose/'], may: ['server/', 'generated/', 'node:'] },
  {
    files: ['server/start.ts'],
    may: ['server/compose/', 'server/config/', 'server/http/', 'server/log.ts', 'server/needs-change.ts', 'node:'],
  },
  {
    files: ['server/first-start.ts'],
    may: [
      'server/compose/',
      'server/stores/open.ts',
      'server/domain/access/',
      'server/domain/ports/job-leases.ts',
      'server/doors/site/site-state.ts',
    ],
  },
  {
    files: ['server/serve.ts'],
    may: [
      'server/config/',
      'server/start.ts',
      'server/feature-parts.ts',
      'server/first-start.ts',
      'server/log.ts',
      'server/stop-signals.ts',
      'server/telemetry/open-telemetry.ts',
      'server/workers/',
      'server/start-failure.ts',
      'node:cluster',
    ],
  },
  {
    files: ['server/start-failure.ts'],
    may: ['server/causes.ts', 'server/config/config.ts', 'server/needs-change.ts', 'server/check-node.js'],
  },
  { files: ['server/stop-signals.ts'], may: ['node:os'] },
  {
    files: ['server/workers/'],
    may: [
      'server/workers/',
      'server/check-node.js',
      'server/log.ts',
      'server/metrics/instruments.ts',
      'server/needs-change.ts',
      'node:',
    ],
  },
  { files: ['server/main.js'], may: ['server/serve.ts', 'server/compile-cache.js', 'server/check-node.js'] },
  { files: ['server/check-node.js'], may: [] },
  { files: ['server/compile-cache.js'], may: ['node:'] },
];
