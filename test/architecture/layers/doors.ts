import type { Layer } from './layer.ts';

const ofDoors = [
  'server/doors/api/',
  'server/doors/contract/',
  'server/doors/files/',
  'server/doors/operator/',
  'server/doors/site/',
  'server/pipeline/',
  'server/handlers/',
  'server/pages/',
  'server/http/',
  'server/event-loop.ts',
  'server/domain/',
  'generated/',
  'uploader/object-name.ts',
  'server/internals/express-openapi-validator-5.ts',
  'server/internals/node-24.ts',
  'server/log.ts',
  'server/metrics.ts',
  'node:',
  'npm:express',
  'npm:js-yaml',
];

/** What serves requests: pages, handlers, the pipeline and the doors. */
export const doorLayers: readonly Layer[] = [
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
      'server/handlers/error-form.ts',
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
  { files: ['server/doors/'], may: ofDoors },
];
