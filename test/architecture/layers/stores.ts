import type { Layer } from './layer.ts';

/** The stores of rows and bytes. */
export const storeLayers: readonly Layer[] = [
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
      'server/stores/local-replica.ts',
      'server/stores/open.ts',
      'server/stores/rotate-master-key.ts',
      'server/stores/watch-master-key.ts',
      'server/stores/open-blobs.ts',
      'server/stores/open-move.ts',
      'server/stores/postgres-engine.ts',
      'server/stores/ready-folder.ts',
      'server/stores/shrink-database.ts',
      'server/stores/sqlite-engine.ts',
      'server/stores/stores.ts',
      'server/stores/wrapped-rows.ts',
    ],
    may: [
      'server/stores/',
      'server/backends/',
      'server/domain/',
      'server/jobs/debouncer.ts',
      'server/feature.ts',
      'server/feature-parts.ts',
      'server/config/',
      'server/telemetry/tracing.ts',
      'server/log.ts',
      'node:',
    ],
  },
  // The SQL of all tables. It knows no engine.
  {
    files: ['server/stores/tables/'],
    may: [
      'server/stores/tables/',
      'server/domain/',
      'server/feature.ts',
      'server/feature-parts.ts',
      'server/features.ts',
    ],
  },
  {
    files: ['server/stores/sqlite/'],
    may: [
      'server/stores/sqlite/',
      'server/stores/tables/',
      'server/stores/moving.ts',
      'server/stores/system/database-unusable.ts',
      'server/stores/system/migration-files.ts',
      'server/internals/sqlite-3.ts',
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
      'server/feature-parts.ts',
      'server/stores/moving.ts',
      'server/stores/system/migration-files.ts',
      'server/config/database-url.ts',
      'server/internals/pg-8.ts',
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
      'server/needs-change.ts',
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
  { files: ['server/stores/make-folder.ts'], may: ['node:'] },
  {
    files: ['server/stores/filesystem/'],
    may: [
      'server/stores/filesystem/',
      'server/stores/abortable-source.ts',
      'server/stores/make-folder.ts',
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
  {
    files: ['server/stores/memory/'],
    may: ['server/stores/memory/', 'server/domain/', 'npm:lru-cache'],
  },
  {
    files: ['server/stores/system/'],
    may: ['server/stores/system/', 'server/stores/make-folder.ts', 'server/needs-change.ts', 'server/domain/', 'node:'],
  },
];
