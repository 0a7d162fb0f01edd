import type { Layer } from './layer.ts';

/** What the server stands on: HTTP itself, the domain, and the private parts of packages. */
export const baseLayers: readonly Layer[] = [
  {
    files: ['server/http/'],
    may: [
      'server/http/',
      'server/event-loop.ts',
      'server/internals/node-24.ts',
      'node:',
      'npm:express',
      'npm:busboy',
      'npm:content-disposition',
      'npm:cors',
      'npm:proxy-addr',
      'npm:range-parser',
    ],
  },
  {
    files: ['server/domain/'],
    may: [
      'server/domain/',
      'server/event-loop.ts',
      'generated/errors.ts',
      'generated/vocabulary.ts',
      'node:crypto',
      'node:stream',
      'node:zlib',
      'npm:lru-cache',
      'npm:mime-types',
    ],
  },
  { files: ['server/features.ts'], may: ['server/feature.ts', 'server/features/'] },
  { files: ['server/feature-parts.ts'], may: ['server/feature.ts', 'server/features.ts'] },
  {
    files: ['server/feature.ts'],
    may: [
      'server/cli/feature-commands.ts',
      'server/compose/served.ts',
      'server/config/door-names.ts',
      'server/domain/',
      'server/stores/system/data-folder.ts',
      'server/stores/tables/counter.ts',
      'server/stores/tables/rows.ts',
    ],
  },
  // What touches the private parts of one package, behind one wall. Nothing else here may know them.
  { files: ['server/internals/express-openapi-validator-5.ts'], may: ['npm:express-openapi-validator', 'node:'] },
  { files: ['server/internals/node-24.ts'], may: ['node:'] },
  { files: ['server/internals/pg-8.ts'], may: ['node:'] },
  { files: ['server/internals/prom-client-15.ts'], may: ['npm:prom-client', 'node:'] },
  { files: ['server/internals/sqlite-3.ts'], may: ['node:'] },
  // Signature Version 4 of S3: the gateway checks it, and the store of blobs in a bucket makes it.
  { files: ['server/signature-v4/'], may: ['server/signature-v4/', 'node:', 'npm:lru-cache'] },
];
