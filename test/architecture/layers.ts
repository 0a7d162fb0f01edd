/**
 * The allowed imports of each folder. Patterns are prefixes of paths from the root. `npm:` stands before packages,
 * `node:` before built-in modules. The first row whose `files` match applies. A file without a row is an error.
 */
export interface Layer {
  readonly files: readonly string[];
  readonly may: readonly string[];
}

const anything = [
  'server/',
  'generated/',
  'console/',
  'mocks/',
  'test/',
  'openapi/',
  'bench/',
  'npm:',
  'node:',
  '.ci/',
  'vitest.config.ts',
];

export const layers: readonly Layer[] = [
  { files: ['generated/client/'], may: ['generated/client/'] },
  { files: ['generated/uploader/'], may: ['generated/uploader/', 'generated/client/'] },
  { files: ['generated/fixtures/'], may: ['generated/client/'] },
  // A program that uses the handlers of Mock Service Worker has it installed.
  { files: ['generated/mocks/msw.'], may: ['generated/fixtures/', 'npm:msw'] },
  { files: ['generated/mocks/'], may: ['generated/mocks/', 'generated/fixtures/', 'generated/client/', 'node:'] },
  // The frameworks are imported only for their types. A program that uses one has it installed.
  { files: ['uploader/element/react.ts'], may: ['uploader/', 'npm:react'] },
  { files: ['uploader/element/preact.ts'], may: ['uploader/', 'npm:preact'] },
  { files: ['uploader/element/solid.ts'], may: ['uploader/', 'npm:solid-js'] },
  // Programs as users of the published client write them.
  {
    files: ['uploader/package/examples/'],
    may: ['npm:cubby-client', 'npm:preact', 'npm:react', 'npm:solid-js', 'npm:vue', 'node:'],
  },
  // This code runs in browsers, so it imports nothing of Node or the server, and no package.
  { files: ['uploader/'], may: ['uploader/', 'generated/client/'] },
  { files: ['generated/'], may: ['generated/', 'npm:express', 'node:stream'] },
  { files: ['console/build/'], may: ['console/build/', 'node:', 'npm:vite'] },
  // The words of pages know nothing but each other.
  { files: ['console/words/'], may: ['console/words/'] },
  // The console knows the server only by the contract: it calls the generated client, and no other part of the server.
  {
    files: ['console/'],
    may: [
      'console/',
      'generated/client/',
      'generated/uploader/',
      'npm:preact',
      'npm:@preact/signals',
      'npm:uplot',
      'npm:uqr',
    ],
  },
  {
    files: ['server/http/'],
    may: [
      'server/http/',
      'server/event-loop.ts',
      'node:',
      'npm:express',
      'npm:busboy',
      'npm:content-disposition',
      'npm:cors',
      'npm:proxy-addr',
      'npm:range-parser',
    ],
  },
  // mime-types is a table of names, gpt-tokenizer a table of words, lru-cache a collection. None is a protocol.
  {
    files: ['server/domain/'],
    may: [
      'server/domain/',
      'server/event-loop.ts',
      'generated/errors.ts',
      'node:crypto',
      'node:stream',
      'node:worker_threads',
      'node:zlib',
      'npm:gpt-tokenizer',
      'npm:lru-cache',
      'npm:mime-types',
    ],
  },
  {
    files: [
      'server/stores/engine.ts',
      'server/stores/blob-quarantine.ts',
      'server/stores/list-backups.ts',
      'server/stores/open-backup.ts',
      'server/stores/is-running.ts',
      'server/stores/open-check.ts',
      'server/stores/opened-keys.ts',
      'server/stores/open-repairs.ts',
      'server/stores/open-target.ts',
      'server/stores/scratch.ts',
      'server/stores/scrub-settings.ts',
      'server/stores/open-restore.ts',
      'server/stores/key-place.ts',
      'server/stores/open.ts',
      'server/stores/rotate-master-key.ts',
      'server/stores/watch-master-key.ts',
      'server/stores/open-blobs.ts',
      'server/stores/open-move.ts',
      'server/stores/postgres-engine.ts',
      'server/stores/ready-folder.ts',
      'server/stores/sqlite-engine.ts',
    ],
    may: [
      'server/stores/',
      'server/backends/',
      'server/domain/',
      'server/jobs/debouncer.ts',
      'server/config/',
      'server/telemetry/tracing.ts',
      'server/log.ts',
      'node:',
    ],
  },
  // The SQL of all tables. It knows no engine.
  { files: ['server/stores/tables/'], may: ['server/stores/tables/', 'server/domain/'] },
  {
    files: ['server/stores/sqlite/'],
    may: [
      'server/stores/sqlite/',
      'server/stores/tables/',
      'server/stores/moving.ts',
      'server/stores/system/database-unusable.ts',
      'server/stores/system/migration-files.ts',
      'server/domain/',
      'node:',
      'npm:lru-cache',
    ],
  },
  // Of the configuration it imports only the type of the database's address.
  {
    files: ['server/stores/postgres/'],
    may: [
      'server/stores/postgres/',
      'server/stores/tables/',
      'server/stores/moving.ts',
      'server/stores/system/migration-files.ts',
      'server/config/database-url.ts',
      'server/domain/',
      'node:',
      'npm:lru-cache',
      'npm:pg',
    ],
  },
  // Rows and blobs that move from one store to another. It knows both engines.
  {
    files: ['server/stores/move/'],
    may: [
      'server/stores/move/',
      'server/stores/encrypted/sizes.ts',
      'server/stores/sqlite/',
      'server/stores/postgres/',
      'server/stores/moving.ts',
      'server/domain/',
      'server/config/',
      'node:',
    ],
  },
  // A store of blobs around another one. It gathers and hashes bytes as files do.
  {
    files: ['server/stores/encrypted/'],
    may: [
      'server/stores/encrypted/',
      'server/stores/filesystem/',
      'server/stores/abortable-source.ts',
      'server/stores/release-memory.ts',
      'server/stores/system/seal.ts',
      'server/domain/',
      'node:',
    ],
  },
  // The target of backups, which keeps blobs as the stores do.
  {
    files: ['server/stores/backup/'],
    may: ['server/stores/backup/', 'server/stores/filesystem/', 'server/stores/bucket/', 'server/domain/', 'node:'],
  },
  {
    files: [
      'server/stores/abortable-source.ts',
      'server/stores/bucket-unusable.ts',
      'server/stores/moving.ts',
      'server/stores/release-memory.ts',
    ],
    may: [],
  },
  {
    files: ['server/stores/filesystem/'],
    may: [
      'server/stores/filesystem/',
      'server/stores/abortable-source.ts',
      'server/stores/release-memory.ts',
      'server/domain/',
      'node:',
    ],
  },
  {
    files: ['server/stores/bucket/'],
    may: [
      'server/stores/bucket/',
      'server/stores/abortable-source.ts',
      'server/signature-v4/',
      'server/circuit-breaker.ts',
      'server/domain/',
      'node:',
      'npm:undici',
    ],
  },
  // Signature Version 4 of S3: the gateway checks it, and the store of blobs in a bucket makes it.
  { files: ['server/signature-v4/'], may: ['server/signature-v4/', 'node:', 'npm:lru-cache'] },
  { files: ['server/stores/memory/'], may: ['server/stores/memory/', 'server/domain/', 'npm:lru-cache'] },
  { files: ['server/stores/system/'], may: ['server/stores/system/', 'server/domain/', 'node:'] },
  // The operator installs node-llama-cpp, so only this layer may import it.
  {
    files: ['server/backends/chat/local-model/'],
    may: ['server/backends/', 'server/domain/', 'server/log.ts', 'node:', 'npm:node-llama-cpp'],
  },
  {
    files: [
      'server/backends/chat/',
      'server/backends/webhooks/',
      'server/backends/searxng.ts',
      'server/backends/send-request.ts',
      'server/backends/open-response.ts',
    ],
    may: [
      'server/backends/',
      'server/circuit-breaker.ts',
      'server/event-loop.ts',
      'server/public-address.ts',
      'server/domain/',
      'server/config/',
      'server/telemetry/tracing.ts',
      'server/log.ts',
      'node:',
      'npm:eventsource-parser',
      'npm:undici',
    ],
  },
  // The operator installs sharp, so only this layer may import it.
  {
    files: ['server/backends/images/'],
    may: ['server/backends/images/', 'server/compile-cache.js', 'server/domain/', 'node:', 'npm:sharp'],
  },
  // Services outside the process. They import log and configuration only as types.
  {
    files: ['server/backends/'],
    may: [
      'server/backends/',
      'server/domain/',
      'server/event-loop.ts',
      'server/config/',
      'server/telemetry/tracing.ts',
      'server/log.ts',
      'node:',
    ],
  },
  { files: ['server/pages/'], may: ['server/pages/', 'node:crypto', 'node:fs'] },
  {
    files: ['server/handlers/'],
    may: ['server/handlers/', 'server/pages/', 'server/domain/', 'server/http/', 'generated/', 'npm:lru-cache'],
  },
  {
    files: ['server/pipeline/'],
    may: [
      'server/pipeline/',
      'server/handlers/call.ts',
      'server/handlers/refused-page.ts',
      'server/pages/',
      'server/http/',
      'server/domain/',
      'generated/',
      'server/log.ts',
      'server/metrics.ts',
      'server/telemetry/tracing.ts',
      'node:',
    ],
  },
  {
    files: ['server/doors/s3/'],
    may: [
      'server/doors/s3/',
      'server/signature-v4/',
      'server/pipeline/',
      'server/handlers/file-representation.ts',
      'server/handlers/receipts.ts',
      'server/handlers/wire.ts',
      'server/http/',
      'server/event-loop.ts',
      'server/domain/',
      'generated/',
      'server/log.ts',
      'server/metrics.ts',
      'node:',
      'npm:express',
      'npm:fast-xml-parser',
      'npm:lru-cache',
    ],
  },
  {
    files: ['server/doors/'],
    may: [
      'server/doors/api/',
      'server/doors/contract/',
      'server/doors/files/',
      'server/doors/operator/',
      'server/doors/public/',
      'server/doors/site/',
      'server/pipeline/',
      'server/handlers/',
      'server/pages/',
      'server/http/',
      'server/event-loop.ts',
      'server/domain/',
      'generated/',
      'server/log.ts',
      'server/metrics.ts',
      'node:',
      'npm:express',
      'npm:express-openapi-validator',
    ],
  },
  { files: ['server/jobs/'], may: ['server/jobs/', 'server/domain/'] },
  {
    files: ['server/cli/'],
    may: [
      'server/cli/',
      'server/stop-signals.ts',
      'server/check-node.js',
      'server/compile-cache.js',
      // `--json` shows what the operator's API shows.
      'server/handlers/operator/views/',
      'server/domain/',
      'server/config/',
      // The runner writes the files that the server reads.
      'server/stores/filesystem/deploy-logs.ts',
      'server/stores/list-backups.ts',
      'server/stores/open.ts',
      'server/stores/open-backup.ts',
      'server/stores/open-check.ts',
      'server/stores/open-move.ts',
      'server/stores/open-restore.ts',
      'server/stores/rotate-master-key.ts',
      'server/telemetry/',
      'server/log.ts',
      'server/public-address.ts',
      'server/version.ts',
      'node:',
      'npm:commander',
    ],
  },
  // Presets of images have the form of the parameters of an address.
  { files: ['server/config/images.ts'], may: ['server/config/', 'server/domain/images/preset.ts', 'node:'] },
  { files: ['server/config/'], may: ['server/config/', 'node:', 'npm:smol-toml'] },
  { files: ['server/event-loop.ts', 'server/circuit-breaker.ts'], may: [] },
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
  { files: ['server/metrics.ts', 'server/metrics/'], may: ['server/metrics/', 'npm:prom-client', 'node:'] },
  { files: ['server/compose/'], may: ['server/', 'generated/', 'node:'] },
  {
    files: ['server/start.ts'],
    may: ['server/compose/compose.ts', 'server/config/', 'server/http/', 'server/log.ts', 'node:'],
  },
  {
    files: ['server/first-start.ts'],
    may: [
      'server/ai-lines.ts',
      'server/compose/compose.ts',
      'server/stores/open.ts',
      'server/domain/access/',
      'server/domain/ports/job-leases.ts',
      'server/doors/site/site-state.ts',
    ],
  },
  { files: ['server/ai-lines.ts'], may: ['server/config/ai.ts'] },
  {
    files: ['server/serve.ts'],
    may: [
      'server/config/',
      'server/start.ts',
      'server/ai-lines.ts',
      'server/first-start.ts',
      'server/log.ts',
      'server/stop-signals.ts',
      'server/telemetry/open-telemetry.ts',
      'server/workers/',
      'node:cluster',
    ],
  },
  { files: ['server/stop-signals.ts'], may: ['node:os'] },
  { files: ['server/workers/'], may: ['server/workers/', 'server/log.ts', 'server/metrics/instruments.ts', 'node:'] },
  { files: ['server/main.js'], may: ['server/serve.ts', 'server/compile-cache.js', 'server/check-node.js'] },
  { files: ['server/check-node.js'], may: [] },
  { files: ['server/compile-cache.js'], may: ['node:'] },
  { files: ['openapi/codegen/'], may: ['openapi/codegen/'] },
  // The theme runs in browsers. The generator loads it, and nothing of the server does.
  { files: ['openapi/site/'], may: ['openapi/', 'npm:vitepress', 'npm:vue', 'node:'] },
  { files: ['openapi/build/pages/limits.ts'], may: ['openapi/', 'server/domain/plan.ts', 'server/domain/limits.ts'] },
  { files: ['openapi/build/pages/s3-errors.ts'], may: ['openapi/', 'server/doors/s3/error-meanings.ts'] },
  { files: ['openapi/build/client-package.ts'], may: ['npm:vite', 'node:'] },
  { files: ['openapi/build/'], may: ['openapi/', 'npm:@hey-api/openapi-ts', 'npm:yaml', 'node:'] },
  // A part of the client that no generator makes. It runs in browsers too.
  { files: ['openapi/codegen/client/'], may: [] },
  { files: ['openapi/lint/'], may: ['openapi/lint/'] },
  { files: ['openapi/expand/'], may: ['openapi/expand/', 'npm:yaml', 'node:'] },
  { files: ['openapi/plugin.mjs'], may: ['openapi/expand/', 'openapi/lint/'] },
  // Programs as their authors would write them, with what the package exports.
  {
    files: ['examples/'],
    may: ['examples/', 'generated/client/', 'generated/uploader/', 'npm:react', 'npm:react-dom'],
  },
  { files: ['mocks/', 'test/', 'bench/', 'vitest.config.ts'], may: anything },
];

/** Files that only a few others may import. A further import is a sign of wrong design. */
export const reserved: ReadonlyArray<{ readonly file: string; readonly only: readonly string[] }> = [
  { file: 'server/compose/backup-process/main.js', only: [] },
  { file: 'server/backends/images/main.js', only: [] },
  { file: 'server/compose/backups.ts', only: ['server/compose/'] },
  { file: 'server/compose/chat.ts', only: ['server/compose/'] },
  { file: 'server/compose/door-errors.ts', only: ['server/compose/'] },
  { file: 'server/compose/doors.ts', only: ['server/compose/'] },
  { file: 'server/compose/images.ts', only: ['server/compose/'] },
  { file: 'server/compose/scrub.ts', only: ['server/compose/'] },
  {
    file: 'server/compose/compose.ts',
    only: ['server/start.ts', 'server/first-start.ts', 'test/', 'mocks/', 'bench/'],
  },
  {
    file: 'server/stores/open.ts',
    only: ['server/compose/', 'server/first-start.ts', 'server/cli/', 'server/stores/', 'test/', 'mocks/', 'bench/'],
  },
  { file: 'server/stores/ready-folder.ts', only: ['server/stores/'] },
  { file: 'server/stores/postgres-engine.ts', only: ['server/stores/open.ts', 'server/stores/open-move.ts'] },
  { file: 'server/stores/sqlite-engine.ts', only: ['server/stores/open.ts'] },
  {
    file: 'server/stores/open-blobs.ts',
    only: ['server/stores/open.ts', 'server/stores/open-move.ts', 'server/stores/open-restore.ts'],
  },
  { file: 'server/stores/open-move.ts', only: ['server/cli/', 'test/'] },
  { file: 'server/serve.ts', only: ['server/main.js'] },
  { file: 'server/main.js', only: [] },
];
