import { baseLayers } from './layers/base.ts';
import { clientLayers } from './layers/clients.ts';
import { contractLayers } from './layers/contract.ts';
import { doorLayers } from './layers/doors.ts';
import { featureLayers } from './layers/features.ts';
import type { Layer } from './layers/layer.ts';
import { processLayers } from './layers/process.ts';
import { storeLayers } from './layers/stores.ts';

const anything = [
  'server/',
  'generated/',
  'dist/modules/',
  'uploader/',
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

/**
 * The allowed imports of each folder, by subject in `layers/`. The first row whose `files` match applies. A file
 * without a row is an error.
 */
export const layers: readonly Layer[] = [
  ...clientLayers,
  ...contractLayers,
  ...featureLayers,
  ...baseLayers,
  ...storeLayers,
  ...doorLayers,
  ...processLayers,
  { files: ['mocks/', 'test/', 'bench/', 'vitest.config.ts'], may: anything },
];

/** Files that only a few others may import. A further import is a sign of wrong design. */
export const reserved: ReadonlyArray<{ readonly file: string; readonly only: readonly string[] }> = [
  { file: 'server/compose/backup-process/main.js', only: [] },
  { file: 'server/features/chat/backends/pdf/main.js', only: [] },
  { file: 'server/features/images/backends/main.js', only: [] },
  { file: 'server/compose/backups.ts', only: ['server/compose/'] },
  { file: 'server/compose/doors.ts', only: ['server/compose/'] },
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
  { file: 'server/stores/sqlite-engine.ts', only: ['server/stores/open.ts', 'server/stores/shrink-database.ts'] },
  {
    file: 'server/stores/open-blobs.ts',
    only: ['server/stores/open.ts', 'server/stores/open-move.ts', 'server/stores/open-restore.ts'],
  },
  { file: 'server/stores/open-move.ts', only: ['server/cli/', 'test/'] },
  { file: 'server/serve.ts', only: ['server/main.js'] },
  { file: 'server/main.js', only: [] },
];
